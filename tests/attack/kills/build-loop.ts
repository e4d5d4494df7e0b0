/** The process that is killed: builds the content and the index of the site for each address, again and again or once. */
import { build } from "../../../scripts/steps/build.ts";

const [mode, ...origins] = process.argv.slice(2);
for (let rounds = mode === "forever" ? Infinity : 1; rounds > 0; rounds--)
  for (const origin of origins) await build({ origin, only: ["content", "index"] });
