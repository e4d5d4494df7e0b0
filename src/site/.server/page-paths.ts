import { chooseForm } from "#platform/http/negotiation.ts";

/** A page of the documentation has its Markdown at the same address, for a client that prefers it (`chooseForm`). */
export function isNegotiated(pathname: string): boolean {
  return /^\/docs(?:\/|$)/.test(pathname) && !/\.\w+$/.test(pathname);
}

/** A page with results is rendered for its query; every other query string leaves a page as it is built. */
export function isResultsPage({ pathname, search, searchParams }: URL): boolean {
  return search !== "" && pathname.startsWith("/docs") && Boolean(searchParams.get("q")?.trim());
}

/** The path of the file that answers: a page's address, or `<address>.md`. */
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
