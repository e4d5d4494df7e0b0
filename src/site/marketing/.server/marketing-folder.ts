import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { type Quotes, quotesOf, readMarketing, type ReadMarketing } from "./read-marketing.ts";

const FOLDERS: [folder: string, ending: string][] = [
  ["content/marketing", ".yaml"],
  ["content/marketing/products", ".yaml"],
  ["content/changelog", ".md"],
];

/**
 * Reads the texts of the marketing pages from the repository.
 * @param root the repository; if it has no content, every file is missing
 * @param quotes by default from its facts
 */
export function readMarketingFolder(
  root: string,
  quotes: Quotes = quotesOf(loadFacts(root).facts),
): ReadMarketing {
  const files = new Map<string, string>();
  for (const [folder, ending] of FOLDERS)
    for (const name of namesIn(join(root, folder)))
      if (name.endsWith(ending))
        files.set(`${folder}/${name}`, readFileSync(join(root, folder, name), "utf8"));
  return readMarketing(files, quotes);
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
