/**
 * Notes in translated pages that their sections say what the English ones say now:
 *     npm run -s node scripts/accept-translation.ts content/translations/de/docs/index.mdx
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acceptTranslation } from "#docs/content/editions/accept-translation.ts";
import { root } from "#server/pages/build-folders.ts";
import { compileContent } from "./steps/content-step.ts";

const { pages } = await compileContent();
for (const file of process.argv.slice(2)) {
  const original = pages.find((page) => page.file === file.replace(/translations\/[a-z]+\//, ""));
  if (!original) throw new Error(`${file} is not the translation of a page.`);
  const source = readFileSync(join(root, original.file), "utf8");
  const anchors = original.headings.filter(({ depth }) => depth === 2).map(({ id }) => id);
  writeFileSync(
    join(root, file),
    acceptTranslation(readFileSync(join(root, file), "utf8"), { source, anchors }),
  );
}
