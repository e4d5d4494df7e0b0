/**
 * Every anchor that was ever published, by page: `content/anchors.json`. External links keep working: a removed anchor must be
 * renamed in its page's front matter (`renamed: { old: new }`), and the page has both.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { nearest } from "../problem.ts";
import { type Redirect, REDIRECTS_FILE } from "../navigation/redirects.ts";
import type { ContentProblem, Page } from "../types.ts";

const ledgerSchema = z.record(z.string(), z.array(z.string()));

/** Path of a page → its anchors, sorted. */
export type AnchorLedger = z.infer<typeof ledgerSchema>;

const LEDGER_FILE = "content/anchors.json";

/** Empty before the first publication. @throws if the file is not a ledger */
export function loadLedger(root: string): AnchorLedger {
  let source: string;
  try {
    source = readFileSync(join(root, LEDGER_FILE), "utf8");
  } catch {
    return {};
  }
  return ledgerSchema.parse(JSON.parse(source));
}

/** Writes the ledger with one anchor per line, so that a change is one line of a diff. */
export function saveLedger(root: string, ledger: AnchorLedger): void {
  writeFileSync(join(root, LEDGER_FILE), `${JSON.stringify(ledger, null, 2)}\n`);
}

/** @returns the ledger with the anchors of these pages added; nothing is ever removed */
export function updateLedger(ledger: AnchorLedger, pages: readonly Page[]): AnchorLedger {
  const all = new Map(Object.entries(ledger).map(([path, anchors]) => [path, new Set(anchors)]));
  for (const page of pages) all.set(page.path, new Set([...(all.get(page.path) ?? []), ...page.anchors]));
  const entries = [...all].map(([path, anchors]): [string, string[]] => [path, [...anchors].sort()]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Finds missing published pages and anchors, and renamings that lead nowhere. A redirected page may be missing. */
export function checkLedger(
  ledger: AnchorLedger,
  pages: readonly Page[],
  redirects: readonly Redirect[],
): ContentProblem[] {
  const known = new Set([...pages.map(({ path }) => path), ...redirects.map(({ from }) => from)]);
  const lost = Object.keys(ledger).filter((path) => !known.has(path));
  return [...lost.map(pageIsGone), ...pages.flatMap((page) => checkAnchors(ledger, page))];
}

function pageIsGone(path: string): ContentProblem {
  const message = `${path} was published but its page is gone.`;
  const fix = `Keep content${path}.mdx, or redirect it in ${REDIRECTS_FILE}: - { from: ${path}, to: /docs/… }`;
  return { file: LEDGER_FILE, line: 1, rule: "anchor-ledger", severity: "error", message, fix };
}

function checkAnchors(ledger: AnchorLedger, page: Page): ContentProblem[] {
  const report = (message: string, fix: string): ContentProblem => {
    return { file: page.file, line: 2, rule: "anchor-ledger", severity: "error", message, fix };
  };
  const gone = (ledger[page.path] ?? []).filter((id) => !page.anchors.includes(id) && !page.renamed[id]);
  const nowhere = Object.entries(page.renamed).filter(([, id]) => !page.anchors.includes(id));
  return [
    ...gone.map((id) => {
      const fix = `renamed: { ${id}: ${nearest(id, page.anchors) ?? "<new anchor>"} }`;
      return report(`The published anchor #${id} is gone.`, fix);
    }),
    ...nowhere.map(([old, id]) =>
      report(`#${old} is renamed to #${id}, which the page does not have.`, `${old}: …`),
    ),
  ];
}
