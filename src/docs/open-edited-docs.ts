/** The documentation's search as the server answers it, made from pages that are not built: ranked by words and by meaning. */
import { openIndex, type OpenedIndex, type ReadMeaning } from "#search/index.ts";
import type { Content } from "./content/load-content.ts";
import { buildDocsIndex, docsRecords, knownQuestions } from "./docs-index.ts";
import { buildMeaning } from "./questions/build-meaning.ts";
import { openMeaning } from "./questions/open-meaning.ts";
import { readTableFile } from "./questions/table-file.ts";
import type { SearchRecord } from "./records/types.ts";

interface EditedDocs {
  records: readonly SearchRecord[];
  bytes: Uint8Array;
  readMeaning: ReadMeaning;
  index: OpenedIndex;
}

export async function openEditedDocs({
  pages,
  navigation,
  synonyms,
}: Pick<Content, "pages" | "navigation" | "synonyms">): Promise<EditedDocs> {
  const records = docsRecords(pages, navigation);
  const bytes = buildDocsIndex(records, synonyms);
  const readMeaning = openMeaning(buildMeaning(await readTableFile(), bytes, knownQuestions(pages)), bytes);
  return { records, bytes, readMeaning, index: openIndex(bytes, { readMeaning }) };
}
