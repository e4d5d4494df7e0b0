import { join } from "node:path";
import { writeContent } from "#docs/content/built-content.ts";
import { formatProblem } from "#docs/content/problem.ts";
import { loadContent, type Content, type PageCacheOptions } from "#docs/content/load-content.ts";
import { countBlocks } from "#docs/content/executed/list-blocks.ts";
import { readStates } from "#docs/content/executed/read-states.ts";
import { loadFacts, type LoadedFacts } from "#docs/content/facts/facts.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { readMarketingFolder } from "#site/marketing/.server/marketing-folder.ts";
import { writeSampleWarnings } from "#site/marketing/.server/sample-warnings.ts";
import { quotesOf } from "#site/marketing/.server/read-marketing.ts";
import { components } from "#docs/components/components.ts";
import { iconProblems } from "./content-icons.ts";
import { cacheFolder, root, type BuildFolders } from "#server/pages/build-folders.ts";
import { hashAlone } from "./hash-inputs.ts";
import { replaceFolder } from "./replace-folder.ts";
import { UserError } from "#platform/environment/user-error.ts";

/** Compiles every page; @throws UserError that lists all mistakes with file, line and the corrected snippet. */
export async function buildContent(folders: BuildFolders): Promise<string> {
  const content = await compileContent();
  const errors = content.problems.filter((problem) => problem.severity === "error");
  if (errors.length > 0)
    throw new UserError(
      `${errors.length === 1 ? "The content has a mistake" : `The content has ${errors.length} mistakes`}; correct as shown and run the command again.\n\n${errors.map(formatProblem).join("\n\n")}`,
    );
  const { marketing } = readMarketingFolder(root);
  await replaceFolder(folders.content, async (next) => {
    await writeContent(next, content);
    // Null only if the content has mistakes; then the build has already stopped.
    if (marketing) await writeSampleWarnings(next, marketing.home);
  });
  const known = { given: readStates(root).given, facts: loadFacts(root).facts };
  return `${content.pages.length} pages, ${countBlocks(content.pages, known)}`;
}

/** @param options `withDrafts` in development */
export async function compileContent({ withDrafts = false } = {}): Promise<Content> {
  const facts = loadFacts(root);
  const content = await loadContent({ root, facts, components, withDrafts, cache: await pageCache() });
  return { ...content, problems: [...content.problems, ...problemsBesidePages(facts)] };
}

/** Pages compiled by this version of the compiler; the lock file decides the versions of its packages. */
export async function pageCache(): Promise<PageCacheOptions> {
  const code = ["src/docs/content/load-content.ts", "src/docs/components/components.ts"];
  return { folder: join(cacheFolder, "content"), version: await hashAlone({ code }) };
}

/** Problems of the marketing pages, the changelog and icon names. */
export function problemsBesidePages({ facts, problems }: LoadedFacts): ContentProblem[] {
  // A page is not to blame for quoting unreadable facts.
  const own = problems.length > 0 ? [] : readMarketingFolder(root, quotesOf(facts)).problems;
  return [...own, ...iconProblems()];
}
