import { checkLedger, loadLedger } from "./checks/anchor-ledger.ts";
import { checkBlocks } from "./checks/check-blocks.ts";
import { checkCacheMounts } from "./checks/check-cache-mounts.ts";
import { checkClaims } from "./checks/check-claims.ts";
import { checkCommands } from "./checks/check-commands.ts";
import { checkCompose } from "./checks/check-compose.ts";
import { checkDuplicates } from "./checks/check-duplicates.ts";
import { checkIds } from "./checks/check-ids.ts";
import { checkImages } from "./checks/check-images.ts";
import { checkInstall } from "./checks/check-install.ts";
import { checkLinks, checkOrphans } from "./checks/check-links.ts";
import { checkNames } from "./checks/check-names.ts";
import { checkParts } from "./checks/check-parts.ts";
import { checkRedirects } from "./checks/check-redirects.ts";
import { checkReference } from "./checks/check-reference.ts";
import { checkSamples } from "./checks/check-samples.ts";
import { checkSetup } from "./checks/check-setup.ts";
import { checkShell } from "./checks/check-shell.ts";
import { checkStates } from "./checks/check-states.ts";
import { checkTemplates } from "./checks/check-templates.ts";
import { checkTitles } from "./checks/check-titles.ts";
import { checkTypedFacts } from "./checks/check-typed-facts.ts";
import { checkVariety } from "./checks/check-variety.ts";
import { checkSentences, checkWords, loadTerms } from "./checks/check-words.ts";
import { checkWorkflows } from "./checks/check-workflows.ts";
import type { Facts } from "./facts/facts.ts";
import { type Content, loadContent, type LoadOptions } from "./load-content.ts";
import type { ContentProblem } from "./types.ts";

/** Loads the content and runs every check, for `npm test`. Problems are sorted by file and line. */
export async function checkContent(options: LoadOptions): Promise<ContentProblem[]> {
  const content = await loadContent(options);
  const { root, facts } = options;
  const found = [...content.problems, ...(await checkPages(content, facts.facts, root))];
  return found.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

export type CheckedContent = Pick<Content, "pages" | "redirects" | "drafts">;

/** The checks that need all pages, or files other than the page. */
export async function checkPages(
  { pages, redirects, drafts }: CheckedContent,
  facts: Facts,
  root: string,
): Promise<ContentProblem[]> {
  const ledger = loadLedger(root);
  return [
    ...checkLinks(pages, { redirects, drafts }),
    ...checkOrphans(pages),
    ...checkLedger(ledger, pages, redirects),
    ...checkRedirects(redirects, pages, ledger),
    ...checkTitles(pages),
    ...checkTemplates(pages),
    ...checkVariety(pages),
    ...checkDuplicates(pages),
    ...checkReference(pages, facts),
    ...checkParts(pages, facts),
    ...checkSetup(pages, facts),
    ...checkImages(pages, root),
    ...checkWords(pages, loadTerms(root)),
    ...checkSentences(pages),
    ...checkClaims(pages),
    ...checkStates(pages),
    ...checkTypedFacts(pages, facts),
    ...checkNames(pages, facts, root),
    ...checkBlocks(pages, facts, root),
    ...checkSamples(pages),
    ...checkCacheMounts(pages),
    ...(await checkWorkflows(pages)),
    ...checkCompose(pages),
    ...checkShell(pages),
    ...checkCommands(pages, facts.cli),
    ...checkIds(pages),
    ...checkInstall(facts, root),
  ];
}
