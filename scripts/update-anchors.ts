/** Adds the anchors of all pages to `content/anchors.json`: run it when pages are published. */
import { loadLedger, saveLedger, updateLedger } from "#docs/content/checks/anchor-ledger.ts";
import { compileContent } from "./steps/content-step.ts";
import { root } from "#server/pages/build-folders.ts";

const { pages } = await compileContent();
const before = loadLedger(root);
const after = updateLedger(before, pages);
saveLedger(root, after);
for (const [path, anchors] of Object.entries(after)) {
  const known = new Set(before[path]);
  const added = anchors.filter((anchor) => !known.has(anchor));
  if (added.length > 0) console.log(`${path}: ${added.join(", ")}`);
}
const count = (ledger: typeof after) =>
  Object.values(ledger).reduce((sum, anchors) => sum + anchors.length, 0);
console.log(
  `${count(after)} anchors on ${Object.keys(after).length} pages, ${count(after) - count(before)} of them new`,
);
