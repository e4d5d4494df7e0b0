import { writeFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatProblem } from "../../src/content/problem.ts";
import { loadContent, type Content } from "../../src/content/load-content.ts";
import { loadFacts, type LoadedFacts } from "../../src/content/facts.ts";
import type { ContentProblem } from "../../src/content/types.ts";
import { checkMarketing } from "../../src/site/marketing/server/check-marketing.ts";
import { components } from "../../src/site/mdx/components.ts";
import { iconProblems } from "./content-icons.ts";
import { cacheFolder, replaceFolder, root, type BuildFolders } from "./folders.ts";
import { UserError } from "./user-error.ts";

/** Compiles every page; @throws UserError that lists all mistakes with file, line and the corrected snippet. */
export async function buildContent(folders: BuildFolders): Promise<string> {
  const content = await compileContent();
  const errors = content.problems.filter((problem) => problem.severity === "error");
  if (errors.length > 0)
    throw new UserError(
      `${errors.length === 1 ? "The content has a mistake" : `The content has ${errors.length} mistakes`}; correct as shown and run the command again.\n\n${errors.map(formatProblem).join("\n\n")}`,
    );
  await replaceFolder(folders.content, (next) =>
    writeFile(join(next, "content.json"), JSON.stringify({ pages: content.pages, navigation: content.navigation })),
  );
  return `${content.pages.length} pages`;
}

export async function compileContent(): Promise<Content> {
  const facts = loadFacts(root);
  const content = await loadContent({ root, facts, components, cache: join(cacheFolder, "content") });
  return { ...content, problems: [...content.problems, ...problemsBesidePages(facts)] };
}

/** Of the marketing pages, the changelog and named icons. */
export function problemsBesidePages({ facts, problems }: LoadedFacts): ContentProblem[] {
  const ids = new Set(facts.limits.limits.map(({ id }) => id));
  // Quotes of facts that cannot be read are no mistake of theirs.
  return [...(problems.length > 0 ? [] : checkMarketing(root, ids)), ...iconProblems()];
}

export async function readContent(folders: BuildFolders): Promise<Pick<Content, "pages" | "navigation">> {
  return JSON.parse(await readFile(join(folders.content, "content.json"), "utf8")) as Content;
}
