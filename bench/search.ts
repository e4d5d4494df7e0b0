/**
 * Relevance and speed of the search engine compared with its peers, on real documentation.
 *
 *   npm run bench:search                            everything, into bench/README.md and bench/results.json
 *   npm run bench:search -- --million               also a million records (half an hour, 8 GB of memory)
 *   npm run bench:search -- --million --corpora "" --large "" --add    only these, added to earlier results
 *   npm run bench:search -- --engines ours --corpora astro --only relevance --print
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dataFolder } from "./search/corpus.ts";
import { sectionOf } from "../tests/attack/sections.ts";
import type { Measurement } from "./search/measure.ts";
import { tablesOf } from "./search/tables.ts";

const { values: options } = parseArgs({
  options: {
    engines: { type: "string", default: "ours,minisearch,flexsearch" },
    /** Measured for relevance and speed. */
    corpora: { type: "string", default: "astro,starlight,fumadocs" },
    /** Measured for speed only: larger corpora, made of copies. */
    large: { type: "string", default: "astro*3,astro+starlight+fumadocs*5" },
    /** A million records as well, with a vocabulary that grows with them. */
    million: { type: "boolean", default: false },
    only: { type: "string", default: "both" },
    /** Keep what results.json has of other engines and corpora. */
    add: { type: "boolean", default: false },
    /** Print, write no files. */
    print: { type: "boolean", default: false },
  },
});

if (dataFolder === "") {
  console.error("No corpora: set BENCH_DATA to the folder with <name>.ndjson and <name>.queries.json.");
  process.exit(1);
}

const RESULTS = join(import.meta.dirname, "results.json");

/** 1,015,905 records. */
const MILLION = "astro+starlight+fumadocs*47";

const measurements: Measurement[] = [];
const list = (text: string) => text.split(",").filter((name) => name !== "");
for (const corpus of list(options.corpora)) {
  for (const engine of list(options.engines)) measure(engine, corpus, options.only);
}
if (options.only !== "relevance") {
  for (const corpus of [...list(options.large), ...(options.million ? [MILLION] : [])]) {
    for (const engine of list(options.engines)) measure(engine, corpus, "speed");
  }
}
const results = options.add ? addTo(readResults(), measurements) : measurements;
const tables = tablesOf(results);
console.log(tables);
if (!options.print) {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  const page = join(import.meta.dirname, "README.md");
  const attacks = sectionOf(readFileSync(page, "utf8"), "attacks");
  writeFileSync(page, `${readme(tables, results)}${attacks && `\n${attacks}\n`}`);
}

function readResults(): Measurement[] {
  // Written by this program.
  return JSON.parse(readFileSync(RESULTS, "utf8")) as Measurement[];
}

/**
 * Each replaces its earlier measurement; new measurements are sorted by size, after the corpora that are measured for relevance.
 */
function addTo(before: readonly Measurement[], added: readonly Measurement[]): Measurement[] {
  const isSame = (a: Measurement, b: Measurement) => a.engine === b.engine && a.corpus === b.corpus;
  const kept = before.map((one) => added.find((other) => isSame(one, other)) ?? one);
  const all = [...kept, ...added.filter((one) => !before.some((other) => isSame(one, other)))];
  const size = ({ relevance, records }: Measurement) => (relevance ? 0 : records);
  return all.sort((a, b) => size(a) - size(b));
}

function measure(engine: string, corpus: string, what: string): void {
  const file = join(import.meta.dirname, "search/measure.ts");
  // Peers need several gigabytes for a million records.
  const args = ["--expose-gc", "--max-old-space-size=12000", file, engine, corpus, what];
  const child = spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1e8, timeout: 1_800_000 });
  if (child.status !== 0) {
    console.error(`${engine} on ${corpus} failed: ${child.stderr.trim().split("\n").slice(-5).join("\n")}`);
    return;
  }
  // Printed by measure.ts.
  const measurement = JSON.parse(child.stdout) as Measurement;
  measurements.push(measurement);
  console.error(`${measurement.engine} on ${corpus}: done`);
}

function readme(tables: string, results: readonly Measurement[]): string {
  const loads = results.map(({ load }) => load);
  return `# Benchmarks

\`npm run bench:search\` measures the search engine of \`src/search/\` beside its peers and writes this file and
\`results.json\`; the section "Attacks" at its end is \`npm run test:attack\`'s. Nothing here is a test: times depend on the machine, so only their ratios in one run mean something.

## Search

Records of the public documentation of Astro, Starlight and Fumadocs, one per heading, paragraph, list item and table
row; queries with answers taken from the documents: texts of internal links, titles, headings, rare words of a
paragraph, and each of these with typos, cut short, in another order, with words joined or split. The corpora are not
in the repository; \`BENCH_DATA\` names their folder. \`*3\` is a corpus of three copies, of which every copy changes a
third of the longer words in its own way, so that the vocabulary grows with the records (183,000 words for a million).
\`npm run bench:search -- --million\` measures 47 copies as well; it takes half an hour and 8 GB of memory.

### Corpora of your own

Any folder of Markdown becomes a corpus, with queries made in the same way:

\`\`\`console
$ node bench/make-corpus.ts ../my-docs my-docs     # bench/.corpora/my-docs.ndjson, my-docs.queries.json
$ BENCH_DATA=bench/.corpora npm run bench:search -- --corpora my-docs --large "" --print
\`\`\`

Packages of npm that bring their documentation along (\`npm pack\`) are good hold-outs: sites that had no say in choosing
the engine's weights. \`npm pack\` of five such packages, before and after the rules for addresses and identifiers, with
MiniSearch and FlexSearch in the same run:

| corpus | records | before | after | MiniSearch | FlexSearch |
| --- | ---: | ---: | ---: | ---: | ---: |
| next 16.4.6 | 15702 | 0.870 | 0.883 | 0.777 | 0.669 |
| ai 6.0.326 | 6875 | 0.945 | 0.947 | 0.853 | 0.731 |
| npm 11.21.2 | 6922 | 0.953 | 0.958 | 0.861 | 0.743 |
| @mastra/mcp-docs-server 0.13.31 | 12547 | 0.872 | 0.910 | 0.804 | 0.703 |
| fastify, undici, pino | 6774 | 0.958 | 0.959 | 0.890 | 0.758 |

### How it is measured

A search as the reader types is every beginning of 150 queries, limit 20, in CPU time of the whole process, threads that
compile and collect garbage included. The index of our engine holds the documents; those of the peers do not. Ours is
then opened from its file in a new process, as a server does: opening (checksum included), heap after it, and resident
memory after a thousand searches are of that process. The peers' heap and resident memory are those of the process that
built the index, after collecting garbage.

Measured with Node ${process.version} on ${cpus()[0]?.model.trim() ?? "an unknown processor"}, ${new Date().toISOString().slice(0, 10)}.
The machine has ${cpus().length} processors; its load average was between ${Math.min(...loads).toFixed(1)} and ${Math.max(...loads).toFixed(1)} meanwhile. CPU time
rises with it, as caches are shared: compare the engines of one corpus, which ran one after the other.

${tables}
`;
}
