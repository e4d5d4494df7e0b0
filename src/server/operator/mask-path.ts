/** Secret parts of an address: keys of the search engine, keys of sign-in links. */
const SECRET_PARTS = /(\/(?:keys|(?:auth|app)\/(?:start|mail|join|invitation))\/)[^/]+/gi;

/** For logs and reports: `GET /search/keys/:key` accepts a key's value as well as its number. */
export const maskPath = (path: string): string => path.replace(SECRET_PARTS, "$1…");
