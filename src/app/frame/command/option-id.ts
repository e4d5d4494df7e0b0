import type { Row } from "./rows.ts";

/** Keys have spaces and slashes; no list has two keys that differ only in those. */
export const optionId = ({ key }: Row) => `command-${key.replaceAll(/[^\w-]/g, "_")}`;
