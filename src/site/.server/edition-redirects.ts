import { currentPath, type Edition, editionOf } from "#docs/content/editions/edition.ts";
import { decodePath } from "./page-paths.ts";
import type { Redirects } from "./redirects.ts";

interface Options {
  editions: readonly Pick<Edition, "id" | "version">[];
  /** Whether the documentation, or an edition, has a page at a path. */
  hasPage(path: string): boolean;
}

/** Leads from a page that is not translated to the English one. Not for good: it may be translated tomorrow. */
export function createEditionRedirects({ editions, hasPage }: Options): Redirects {
  const translations = new Set(editions.filter(({ version }) => version === null).map(({ id }) => id));
  return (request) => {
    const { pathname, search } = new URL(request.url);
    const path = decodePath(pathname);
    if (!translations.has(editionOf(path) ?? "")) return undefined;
    const form = /\.md$/.exec(path)?.[0] ?? "";
    const page = path.slice(0, path.length - form.length);
    if (hasPage(page) || !hasPage(currentPath(page))) return undefined;
    return new Response(null, { status: 302, headers: { Location: currentPath(page) + form + search } });
  };
}
