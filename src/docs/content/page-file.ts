/** A page's address says where its file is, and the other way round. `/docs` is the only page that is an index. */

/** `content/docs/cache/overview.mdx` → `/docs/cache/overview` */
export function pathOfFile(file: string): string {
  return file
    .replace(/^content\//, "/")
    .replace(/\.mdx$/, "")
    .replace(/\/index$/, "");
}

/** `/docs/cache/overview` → `content/docs/cache/overview.mdx`, whether or not it is there. @param path without an anchor */
export function fileOfPath(path: string): string {
  return `content${path === "/docs" ? "/docs/index" : path}.mdx`;
}
