import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readContent, readEditions } from "#docs/content/built-content.ts";
import { buildDocsIndex, buildTranslatedIndex, docsRecords, knownQuestions } from "#docs/docs-index.ts";
import { buildMeaning } from "#docs/questions/build-meaning.ts";
import { MEANING_FILE } from "#docs/questions/open-meaning.ts";
import { readTableFile } from "#docs/questions/table-file.ts";
import type { BuildFolders } from "#server/pages/build-folders.ts";
import { replaceFolder } from "./replace-folder.ts";

/** The index of the documentation, the vectors for what questions mean, and its records, for search servers that are filled over HTTP. */
export async function buildIndexFile(folders: BuildFolders): Promise<string> {
  const content = await readContent(folders.content);
  const editions = await readEditions(folders.content);
  const { pages, navigation, synonyms } = content;
  const records = docsRecords(pages, navigation);
  const bytes = buildDocsIndex(records, synonyms);
  const meaning = buildMeaning(await readTableFile(), bytes, knownQuestions(pages));
  await replaceFolder(folders.search, async (next) => {
    await writeFile(join(next, "docs.index"), bytes);
    await writeFile(join(next, MEANING_FILE), meaning);
    for (const edition of editions.filter(({ version }) => version === null))
      await writeFile(join(next, `docs-${edition.id}.index`), buildTranslatedIndex(edition, content));
    await writeFile(join(next, "docs.json"), JSON.stringify(records));
  });
  return `${records.length} records, ${Math.round(bytes.length / 1024)} KB`;
}
