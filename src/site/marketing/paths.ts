/** The product pages, in the order in which the site names them. */
export const productPaths = ["/container-builds", "/registry", "/runners", "/cache", "/agents", "/managed"];

/** Every marketing page besides the home page. */
export const marketingPaths = [...productPaths, "/trust", "/changelog", "/your-data"];
