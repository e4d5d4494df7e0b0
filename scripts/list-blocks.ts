/**
 * `npm run node scripts/list-blocks.ts [/docs/…]` counts the code blocks by state, and prints why some are adapted or
 * declared: of all pages, or of those below a path.
 */
import { loadFacts } from "#docs/content/facts/facts.ts";
import { countBlocks, listBlocks } from "#docs/content/executed/list-blocks.ts";
import { readStates } from "#docs/content/executed/read-states.ts";
import { root } from "#server/pages/build-folders.ts";
import { compileContent } from "./steps/content-step.ts";

const [below = "/docs"] = process.argv.slice(2);
const known = { given: readStates(root).given, facts: loadFacts(root).facts };
const { pages } = await compileContent();
const chosen = pages.filter(({ path }) => path === below || path.startsWith(`${below}/`));
console.log([...listBlocks(chosen, known), countBlocks(chosen, known)].join("\n"));
