/**
 * The cost of a write through the content routes, and its effect on readers: ten documents added to an index.
 *
 *   npm run bench:search-updates                       prints a table
 *   npm run bench:search-updates -- --corpora "starlight,astro*3"
 */
import { parseArgs } from "node:util";
import { buildIndex, defaultSettings } from "#search/index.ts";
import { createSearchStore, openContentService } from "#search-server/index.ts";
import { LEVELS, readQueries, readRecords } from "./search/corpus.ts";

const { values: options } = parseArgs({
  options: { corpora: { type: "string", default: "starlight,astro,astro*3" } },
});

/** Tasks of ten documents, sent one right after the other. */
const TASKS = 100;
const ADDED = 10;

console.log(
  "| corpus | records | one task, CPU s (wall) | 100 tasks, CPU s (wall) | builds | search p50 / p99 meanwhile, ms |",
);
console.log("| --- | ---: | ---: | ---: | ---: | ---: |");
for (const corpus of options.corpora.split(",")) console.log(await measure(corpus));

async function measure(corpus: string): Promise<string> {
  const records = readRecords(corpus);
  const hierarchy = { url: "url", levels: LEVELS, content: "content" };
  const store = createSearchStore();
  store.replace("docs", buildIndex(records, { ...defaultSettings(), primaryKey: "objectID", hierarchy }));
  const content = await openContentService({ store, dataDir: null });
  const add = (task: number) =>
    content.change({
      indexUid: "docs",
      type: "documentAdditionOrUpdate",
      change: {
        kind: "replace",
        form: { type: "application/json", delimiter: "," },
        primaryKey: null,
        skipCreation: false,
      },
      body: {
        value: records.slice(0, ADDED).map((record, at) => ({ ...record, objectID: `new-${task}-${at}` })),
      },
    });
  // The first task starts the thread and compiles its code.
  await add(-1);
  await content.tasks.settled();
  const one = await costOf(async () => {
    await add(0);
    await content.tasks.settled();
  });
  const queries = readQueries(corpus).map(({ q }) => q);
  const times: number[] = [];
  const many = await costOf(async () => {
    for (let task = 1; task <= TASKS; task++) await add(task);
    const all = { areDone: false };
    const done = content.tasks.settled().then(() => (all.areDone = true));
    for (let at = 0; !all.areDone; at++) {
      const start = performance.now();
      store.search("docs", { q: queries[at % queries.length]!, limit: 20 });
      times.push(performance.now() - start);
      // The messages of the build are received between searches, as between requests.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await done;
  });
  const batches = new Set(
    content.tasks
      .all()
      .slice(0, TASKS)
      .map(({ batchUid }) => batchUid),
  );
  await content.close();
  times.sort((a, b) => a - b);
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? NaN).toFixed(2);
  const seconds = ({ cpu, wall }: Cost) => `${cpu.toFixed(2)} (${wall.toFixed(2)})`;
  return `| ${[corpus, records.length, seconds(one), seconds(many), batches.size, `${at(0.5)} / ${at(0.99)}`].join(" | ")} |`;
}

/** Seconds. */
interface Cost {
  cpu: number;
  wall: number;
}

async function costOf(run: () => Promise<void>): Promise<Cost> {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  await run();
  const used = process.cpuUsage(cpu);
  return { cpu: (used.user + used.system) / 1e6, wall: (performance.now() - wall) / 1000 };
}
