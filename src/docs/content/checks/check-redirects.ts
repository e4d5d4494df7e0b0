import { didYouMean, nearest } from "../problem.ts";
import { type Redirect, REDIRECTS_FILE } from "../navigation/redirects.ts";
import type { ContentProblem, Page } from "../types.ts";
import type { AnchorLedger } from "./anchor-ledger.ts";

/** The fields of a page that its redirects have to match. */
export type RedirectTarget = Pick<Page, "path" | "anchors" | "renamed" | "file">;

/** Finds redirects that no one could follow, or that would lose a published anchor. */
export function checkRedirects(
  redirects: readonly Redirect[],
  pages: readonly RedirectTarget[],
  ledger: AnchorLedger,
): ContentProblem[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const seen = new Set<string>();
  return redirects.flatMap((redirect) => {
    const { from, to, line } = redirect;
    const [path = "", anchor] = to.split("#");
    const page = byPath.get(path);
    const findings: Finding[] = [];
    // The server ignores case, and paths of pages are lower case.
    const asked = from.toLowerCase();
    if (seen.has(asked)) findings.push([`${from} is redirected twice.`, "Remove one of the two."]);
    seen.add(asked);
    if (byPath.has(asked)) findings.push([`${asked} is a page.`, "Remove the redirect, or the page."]);
    if (!page) findings.push(noPage(path, redirects, byPath));
    else if (anchor === undefined) findings.push(...lostAnchors(ledger[from] ?? [], page));
    else if (!page.anchors.includes(anchor)) findings.push(noAnchor(redirect, anchor, page));
    return findings.map(([message, fix]): ContentProblem => {
      return { file: REDIRECTS_FILE, line, rule: "redirect", severity: "error", message, fix };
    });
  });
}

type Finding = [message: string, fix: string];

function noAnchor({ from }: Redirect, anchor: string, { path, anchors }: RedirectTarget): Finding {
  const fix = `- { from: ${from}, to: ${path}#${nearest(anchor, anchors) ?? "<anchor>"} }`;
  return [`${path} has no anchor #${anchor}.`, fix];
}

function noPage(
  path: string,
  redirects: readonly Redirect[],
  pages: ReadonlyMap<string, RedirectTarget>,
): Finding {
  const next = redirects.find((other) => other.from === path);
  if (next) return [`${path} is itself redirected.`, `to: ${next.to}`];
  return [`There is no page ${path}.${didYouMean(path, [...pages.keys()])}`, "to: /docs/…"];
}

function lostAnchors(anchors: readonly string[], page: RedirectTarget): Finding[] {
  return anchors
    .filter((id) => !page.anchors.includes(id) && !page.renamed[id])
    .map((id) => [
      `#${id} was published on the old page, and ${page.path} does not have it.`,
      `renamed: { ${id}: ${nearest(id, page.anchors) ?? "<anchor>"} } in ${page.file}`,
    ]);
}
