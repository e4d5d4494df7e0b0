/** Parts of an address that are secrets: keys of the search engine, keys of links that sign in. */
const SECRET_PARTS = /(\/(?:keys|(?:auth|app)\/(?:start|mail|join|invitation))\/)[^/]+/gi;

/** For logs and reports: `GET /search/keys/:key` takes a key's value as well as its number. */
export const maskPath = (path: string): string => path.replace(SECRET_PARTS, "$1…");
