/**
 * The process that is killed: builds the site's content and index, as if both had changed, repeatedly or
 * once.
 */
import { buildFolders } from "#server/pages/build-folders.ts";
import { build } from "../../../scripts/steps/build.ts";
import { forgetStamp } from "../../../scripts/steps/stamp-file.ts";

const [mode] = process.argv.slice(2);
const folders = buildFolders();
for (let rounds = mode === "forever" ? Infinity : 1; rounds > 0; rounds--) {
  for (const folder of [folders.content, folders.search]) await forgetStamp(folder);
  await build({ only: ["content", "index"] });
}
