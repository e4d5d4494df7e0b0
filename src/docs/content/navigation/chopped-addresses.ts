/** Addresses that readers get by cutting off the end of a page's address: folders without their own page. */
import { type Navigation, pageOrder } from "./navigation.ts";
import type { Redirect } from "./redirects.ts";

/** Parts of an address before its first folder below `/docs`. */
const ROOT_PARTS = 2;

/**
 * The target of each address: `/docs/cache` leads to `/docs/cache/overview`, and so does `/docs/cache/reference`.
 * @param pages in any order
 * @param moved redirects of `content/redirects.yaml`, which take precedence
 */
export function choppedAddresses(
  pages: readonly { path: string }[],
  navigation: Navigation,
  moved: readonly Pick<Redirect, "from">[],
): Redirect[] {
  const paths = new Set(pages.map(({ path }) => path));
  const taken = new Set([...paths, ...moved.map(({ from }) => from.toLowerCase())]);
  const shown = pageOrder(navigation).map(({ to }) => to);
  // A page that is missing in the tree is a separate problem, and comes last.
  const order = [...new Set([...shown, ...[...paths].sort()])].filter((path) => paths.has(path));
  const folders = new Set(order.flatMap(foldersOf));
  return [...folders]
    .filter((folder) => !taken.has(folder))
    .map((from) => ({ from, to: leadOn(from, paths, order), line: 1 }));
}

/** `/docs/cache/reference/turbo` → `/docs/cache`, `/docs/cache/reference` */
function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(ROOT_PARTS + 1).map((_part, at) => parts.slice(0, at + ROOT_PARTS + 1).join("/"));
}

/** The folder's overview, its only page, the overview above it, or its first page in the tree. */
function leadOn(folder: string, paths: ReadonlySet<string>, order: readonly string[]): string {
  const below = order.filter((path) => path.startsWith(`${folder}/`));
  const [first = folder] = below;
  if (paths.has(`${folder}/overview`)) return `${folder}/overview`;
  if (below.length === 1) return first;
  const above = foldersOf(folder)
    .map((each) => `${each}/overview`)
    .findLast((overview) => paths.has(overview));
  return above ?? first;
}
