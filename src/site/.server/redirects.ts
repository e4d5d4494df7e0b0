import type { Redirect } from "#docs/content/navigation/redirects.ts";
import { decodePath } from "./page-paths.ts";

/** @returns undefined for an address that has not moved */
export type Redirects = (request: Request) => Response | undefined;

/** The other forms of a page: Markdown, and the data of a client navigation. */
const FORM = /\.(?:md|data)$/;

/** Answers the old addresses of `content/redirects.yaml`, in any letter case, with 308 to the new ones; queries stay. */
export function createRedirects(redirects: readonly Pick<Redirect, "from" | "to">[]): Redirects {
  const table = new Map(redirects.map(({ from, to }) => [from.toLowerCase(), to]));
  return (request) => {
    if (table.size === 0) return undefined;
    const { pathname, search } = new URL(request.url);
    const path = decodePath(pathname);
    const form = FORM.exec(path)?.[0] ?? "";
    const target = table.get(path.slice(0, path.length - form.length).toLowerCase());
    if (target === undefined) return undefined;
    const [page = "", anchor] = target.split("#");
    const fragment = anchor === undefined || form !== "" ? "" : `#${anchor}`;
    return new Response(null, { status: 308, headers: { Location: page + form + search + fragment } });
  };
}
