import { chooseForm } from "#platform/http/negotiation.ts";

/** A documentation page also serves Markdown at its address, to clients that prefer it (`chooseForm`). */
export function isNegotiated(pathname: string): boolean {
  return /^\/docs(?:\/|$)/.test(pathname) && !/\.\w+$/.test(pathname);
}

/** A page with results is rendered for its query; any other query string leaves the built page unchanged. */
export function isResultsPage({ pathname, search, searchParams }: URL): boolean {
  return search !== "" && pathname.startsWith("/docs") && Boolean(searchParams.get("q")?.trim());
}

/** The path of the file to serve: a page's address, or `<address>.md`. */
export function negotiatePath(pathname: string, request: Request): string {
  const path = decodePath(pathname);
  const isMarkdown = isNegotiated(path) && chooseForm(request.headers.get("accept")) === "markdown";
  return isMarkdown ? `${path}.md` : path;
}

/** A path that cannot be decoded stays as it is. */
export function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
