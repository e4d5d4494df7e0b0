import { nearest } from "../problem.ts";
import type { Redirect } from "../navigation/redirects.ts";
import type { ContentProblem, Page, PageLink } from "../types.ts";

/** Pages of the site outside the documentation, and files that it serves. */
const OTHER_PATHS = new Set(
  "/ /container-builds /registry /runners /cache /agents /managed /trust /changelog /status /llms.txt /llms-full.txt /mcp".split(
    " ",
  ),
);

/** Finds links to pages that do not exist or have moved, and to anchors that their page does not have. */
export function checkLinks(
  pages: readonly Page[],
  { redirects = [], drafts = [] }: { redirects?: readonly Redirect[]; drafts?: readonly string[] } = {},
): ContentProblem[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const moved = new Map(redirects.map(({ from, to }) => [from, to]));
  const places = { byPath, moved, drafts: new Set(drafts) };
  return pages.flatMap((page) =>
    page.links.flatMap((link) => {
      const problem = checkLink(link, page, places);
      return problem ? [{ file: page.file, line: link.line, severity: "error" as const, ...problem }] : [];
    }),
  );
}

/** Finds pages that no text links to: readers find them in the tree or by search only. The start page needs no link. */
export function checkOrphans(pages: readonly Page[]): ContentProblem[] {
  const linked = new Set(
    pages.flatMap(({ path, links }) =>
      links.map(({ href }) => href.replace(/[#?].*$/, "")).filter((target) => target !== path),
    ),
  );
  return pages
    .filter(({ path }) => path !== "/docs" && !linked.has(path))
    .map(({ path, file, title }): ContentProblem => {
      const message = `No page links to ${path}.`;
      const fix = `[${title}](${path}), on the page whose reader needs it next`;
      return { file, line: 1, rule: "orphan", severity: "error", message, fix };
    });
}

type Finding = Pick<ContentProblem, "rule" | "message" | "fix">;

interface Places {
  byPath: ReadonlyMap<string, Page>;
  /** Old path → new path. */
  moved: ReadonlyMap<string, string>;
  /** Paths of pages that are not published. */
  drafts: ReadonlySet<string>;
}

function checkLink({ href }: PageLink, page: Page, { byPath, moved, drafts }: Places): Finding | null {
  const address = href.replace(/^\{\{origin\}\}(?=\/)/, "");
  if (!/^[/#]/.test(address)) return null;
  const [beforeAnchor = "", anchor] = address.split("#");
  const path = beforeAnchor.split("?")[0] ?? "";
  const target = path === "" ? page : byPath.get(path);
  if (!target) {
    if (OTHER_PATHS.has(path) || !path.startsWith("/docs")) return unknownPath(path);
    const to = moved.get(path);
    if (drafts.has(path)) return linksToDraft(path);
    if (to !== undefined) return { rule: "dead-link", message: `${path} has moved.`, fix: to };
    const near = nearest(path, byPath.keys()) ?? sameEnd(path, byPath);
    return {
      rule: "dead-link",
      message: `There is no page ${path}.`,
      fix: near ?? "Write the page, or remove the link.",
    };
  }
  if (target.draft && !page.draft) return linksToDraft(path);
  if (anchor === undefined || anchor === "" || target.anchors.includes(anchor)) return null;
  const id = target.renamed[anchor] ?? nearest(anchor, target.anchors);
  const fix = id === undefined ? `${target.path} has: ${target.anchors.join(", ")}` : `${path}#${id}`;
  return { rule: "dead-anchor", message: `${target.path} has no anchor #${anchor}.`, fix };
}

const linksToDraft = (path: string): Finding => ({
  rule: "dead-link",
  message: `${path} is a draft, which readers cannot see.`,
  fix: "Remove the link, or `draft: true` there.",
});

function unknownPath(path: string): Finding | null {
  // Services of the site: API, registry, cache. They are not pages, and examples name many of their addresses.
  if (OTHER_PATHS.has(path) || /^\/(api|v2|cache|images|mcp)\//.test(path)) return null;
  return { rule: "dead-link", message: `The site has no ${path}.`, fix: "/docs/…" };
}

/** `/docs/overview` → `/docs/cache/overview`, if there is only one such page. */
function sameEnd(path: string, byPath: ReadonlyMap<string, Page>): string | undefined {
  const end = path.slice(path.lastIndexOf("/"));
  const same = [...byPath.keys()].filter((candidate) => candidate.endsWith(end));
  return same.length === 1 ? same[0] : undefined;
}
