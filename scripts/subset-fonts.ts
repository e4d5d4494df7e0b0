/** Makes the font files in `src/ui/fonts/` from their packages: run it when a font's version or its characters change. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fontSubsets, makeSubset } from "./steps/font-subsets.ts";
import { root } from "#server/pages/build-folders.ts";

for (const subset of fontSubsets) {
  const source = await readFile(fileURLToPath(import.meta.resolve(subset.source)));
  const made = await makeSubset(source, subset);
  await writeFile(join(root, "src/ui/fonts", subset.file), made);
  console.log(`${subset.file}: ${source.length} -> ${made.length} bytes`);
}
