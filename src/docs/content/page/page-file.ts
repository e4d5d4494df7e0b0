/** Converts a page's address to its file, and the reverse. `/docs` is the only index page. */

/** `content/docs/cache/overview.mdx` → `/docs/cache/overview` */
export function pathOfFile(file: string): string {
  return file
    .replace(/^content\//, "/")
    .replace(/\.mdx$/, "")
    .replace(/\/index$/, "");
}

/** `/docs/cache/overview` → `content/docs/cache/overview.mdx`, whether or not it exists. @param path without an anchor */
export function fileOfPath(path: string): string {
  return `content${path === "/docs" ? "/docs/index" : path}.mdx`;
}
