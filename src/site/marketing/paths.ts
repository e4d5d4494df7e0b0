import { PRODUCTS } from "../products.ts";

export const productPaths: string[] = PRODUCTS.map(({ to }) => to);

/** Every marketing page except the home page. */
export const marketingPaths = [...productPaths, "/trust", "/changelog", "/your-data"];
