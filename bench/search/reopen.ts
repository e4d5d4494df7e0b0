/**
 * Opens a stored index, answers a thousand searches and prints its `Footprint`: the heap after opening, resident memory
 * at the end. Called by measure.ts:  node --expose-gc reopen.ts <engine> <corpus> <file>
 */
import { readFileSync } from "node:fs";
import { readQueries, typedStream } from "./corpus.ts";
import type { Engine } from "./engines/engine.ts";
import { footprint } from "./footprint.ts";

const [engineName = "", corpus = "", file = ""] = process.argv.slice(2);
// Each adapter exports `engine`; which one is known only at run time.
const { engine } = (await import(`./engines/${engineName}.ts`)) as { engine: Engine };

const bytes = readFileSync(file);
const start = performance.now();
const opened = engine.reopen!(bytes);
const openMs = performance.now() - start;
const { heapBytes } = footprint();
for (const q of typedStream(readQueries(corpus)).slice(0, 1000)) opened.search(q, 20);
process.stdout.write(JSON.stringify({ ...footprint(), heapBytes, openMs }));
