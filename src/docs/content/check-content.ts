import { checkLedger, loadLedger } from "./checks/anchor-ledger.ts";
import { checkCacheMounts } from "./checks/check-cache-mounts.ts";
import { checkClaims } from "./checks/check-claims.ts";
import { checkCommands } from "./checks/check-commands.ts";
import { checkCompose } from "./checks/check-compose.ts";
import { checkDuplicates } from "./checks/check-duplicates.ts";
import { checkIds } from "./checks/check-ids.ts";
import { checkImages } from "./checks/check-images.ts";
import { checkLinks, checkOrphans } from "./checks/check-links.ts";
import { checkNames } from "./checks/check-names.ts";
import { checkParts } from "./checks/check-parts.ts";
import { checkReference } from "./checks/check-reference.ts";
import { checkSamples } from "./checks/check-samples.ts";
import { checkShell } from "./checks/check-shell.ts";
import { checkTemplates } from "./checks/check-templates.ts";
import { checkTitles } from "./checks/check-titles.ts";
import { checkTypedFacts } from "./checks/check-typed-facts.ts";
import { checkVariety } from "./checks/check-variety.ts";
import { checkSentences, checkWords, loadTerms } from "./checks/check-words.ts";
import { checkWorkflows } from "./checks/check-workflows.ts";
import type { Facts } from "./facts.ts";
import { loadContent, type LoadOptions } from "./load-content.ts";
import type { ContentProblem, Page } from "./types.ts";

/** Loads the content and runs every check: what `npm test` shows. Sorted by file and line. */
export async function checkContent(options: LoadOptions): Promise<ContentProblem[]> {
  const { pages, problems } = await loadContent(options);
  const found = [...problems, ...(await checkPages(pages, options.facts.facts, options.root))];
  return found.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

/** The checks that need all pages, or other files than the page. */
export async function checkPages(
  pages: readonly Page[],
  facts: Facts,
  root: string,
): Promise<ContentProblem[]> {
  return [
    ...checkLinks(pages),
    ...checkOrphans(pages),
    ...checkLedger(loadLedger(root), pages),
    ...checkTitles(pages),
    ...checkTemplates(pages),
    ...checkVariety(pages),
    ...checkDuplicates(pages),
    ...checkReference(pages, facts),
    ...checkParts(pages, facts),
    ...checkImages(pages, root),
    ...checkWords(pages, loadTerms(root)),
    ...checkSentences(pages),
    ...checkClaims(pages),
    ...checkTypedFacts(pages, facts),
    ...checkNames(pages, facts, root),
    ...checkSamples(pages),
    ...checkCacheMounts(pages),
    ...(await checkWorkflows(pages)),
    ...checkCompose(pages),
    ...checkShell(pages),
    ...checkCommands(pages, facts.cli),
    ...checkIds(pages),
  ];
}
