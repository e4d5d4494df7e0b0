/**
 * Tabs in a page's Markdown: one below the other, each with its label as heading. Marks around them, which only the
 * build and the server see, separate them, so that a reader who has chosen gets only the chosen tab.
 *
 *   <!--tabs package-manager-->
 *   <!--tab npm-->    ### npm …
 *   <!--tab pnpm-->   ### pnpm …
 *   <!--/tabs-->
 */
import type { MarkdownNode } from "./component.ts";
import type { SetupPart } from "../setup.ts";

interface TabMarkdown {
  label: string;
  nodes: MarkdownNode[];
}

const mark = (value: string): MarkdownNode => ({ type: "html", value: `<!--${value}-->` });

/** Marks with their blank lines: after a beginning, before an end. */
const MARKS = /^ *<!--(tabs?) (.+)-->\n+|\n+ *<!--\/tabs-->/gm;

export function markTabs(group: string, tabs: readonly TabMarkdown[]): MarkdownNode[] {
  const marked = tabs.flatMap(({ label, nodes }) => [mark(`tab ${label}`), ...nodes]);
  return [mark(`tabs ${group}`), ...marked, mark("/tabs")];
}

/** The Markdown without marks, and with marks if some tabs follow the setup. */
export function withoutTabMarks(
  marked: string,
  parts: readonly SetupPart[],
): { markdown: string; markdownWithTabs?: string } {
  const markdown = marked.replace(MARKS, "");
  const isFollowing = parts.some(({ id }) => marked.includes(`<!--tabs ${id}-->`));
  return isFollowing ? { markdown, markdownWithTabs: marked } : { markdown };
}

/**
 * Omits tabs other than the reader's choice; if a group has no chosen tab, all its tabs stay.
 * @param choices group of tabs → the chosen label
 */
export function chooseTabs(marked: string, choices: ReadonlyMap<string, string>): string {
  const open: { chosen: string | null; isShown: boolean }[] = [];
  let result = "";
  let at = 0;
  for (const found of marked.matchAll(MARKS)) {
    if (open.every(({ isShown }) => isShown)) result += marked.slice(at, found.index);
    at = found.index + found[0].length;
    const [, kind, name = ""] = found;
    if (kind === "tabs") {
      const chosen = choices.get(name);
      const hasIt = chosen !== undefined && labelsAt(marked.slice(at)).includes(chosen);
      open.push({ chosen: hasIt ? chosen : null, isShown: true });
    } else if (kind === undefined) {
      open.pop();
      if (open.every(({ isShown }) => isShown)) result = result.trimEnd();
    } else {
      const tabs = open.at(-1);
      if (tabs) tabs.isShown = tabs.chosen === null || tabs.chosen === name;
    }
  }
  return result + marked.slice(at);
}

/** The labels of the tabs that begin here, without nested tabs. */
function labelsAt(marked: string): string[] {
  const labels: string[] = [];
  let depth = 0;
  for (const [, kind, name = ""] of marked.matchAll(MARKS)) {
    if (kind === "tabs") depth += 1;
    else if (kind === undefined && depth === 0) return labels;
    else if (kind === undefined) depth -= 1;
    else if (depth === 0) labels.push(name);
  }
  return labels;
}
