import { writeFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatProblem } from "../../src/content/problem.ts";
import { loadContent, type Content } from "../../src/content/load-content.ts";
import { loadFacts } from "../../src/content/facts.ts";
import { components } from "../../src/site/mdx/components.ts";
import { cacheFolder, replaceFolder, root, type BuildFolders } from "./folders.ts";
import { UserError } from "./user-error.ts";

/** Compiles every page; @throws UserError that lists all mistakes with file, line and the corrected snippet. */
export async function buildContent(folders: BuildFolders): Promise<string> {
  const content = await compileContent();
  const errors = content.problems.filter((problem) => problem.severity === "error");
  if (errors.length > 0)
    throw new UserError(
      `${errors.length === 1 ? "A page has a mistake" : `The pages have ${errors.length} mistakes`}; correct as shown and run the command again.\n\n${errors.map(formatProblem).join("\n\n")}`,
    );
  await replaceFolder(folders.content, (next) =>
    writeFile(join(next, "content.json"), JSON.stringify({ pages: content.pages, navigation: content.navigation })),
  );
  return `${content.pages.length} pages`;
}

export async function compileContent(): Promise<Content> {
  const facts = loadFacts(root);
  return loadContent({ root, facts, components, cache: join(cacheFolder, "content") });
}

export async function readContent(folders: BuildFolders): Promise<Pick<Content, "pages" | "navigation">> {
  return JSON.parse(await readFile(join(folders.content, "content.json"), "utf8")) as Content;
}
