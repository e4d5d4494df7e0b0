/**
 * Searches per second that the HTTP side answers on one core: bodies as the site sends them, real queries.
 *
 *   npm run bench:search-server                      everything, into bench/search-server.md
 *   npm run bench:search-server -- --corpora starlight --print
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { searchQuery } from "#site/docs/search/protocol.ts";
import { dataFolder, readQueries } from "./search/corpus.ts";
import { sendLoad } from "./search-server/load.ts";
import type { ServerMessage } from "./search-server/server.ts";

const { values: options } = parseArgs({
  options: {
    corpora: { type: "string", default: "astro,starlight,fumadocs" },
    connections: { type: "string", default: "8" },
    /** Print, write no file. */
    print: { type: "boolean", default: false },
  },
});

if (dataFolder === "") {
  console.error("No corpora: set BENCH_DATA to the folder with <name>.ndjson and <name>.queries.json.");
  process.exit(1);
}

interface Scenario {
  name: string;
  queriesOf: (queries: readonly string[]) => string[];
  acceptEncoding: string;
  keepsAnswers: boolean;
}

/** Searches of one run, after a warm-up of as many. */
const SEARCHES = 4000;
/** The best run counts: other load only makes runs slower. */
const RUNS = 3;

const scenarios: Scenario[] = [
  { name: "every query new", queriesOf: distinct, acceptEncoding: "identity", keepsAnswers: false },
  { name: "every query new, gzip", queriesOf: distinct, acceptEncoding: "gzip", keepsAnswers: false },
  { name: "as typed, every one new", queriesOf: typed, acceptEncoding: "identity", keepsAnswers: false },
  { name: "200 queries repeated, gzip", queriesOf: repeated, acceptEncoding: "gzip", keepsAnswers: true },
];

interface Row {
  scenario: string;
  corpus: string;
  perSecond: number;
  kilobytes: number;
}

const rows: Row[] = [];
for (const corpus of options.corpora.split(",")) {
  const queries = [...new Set(readQueries(corpus).map(({ q }) => q))];
  for (const scenario of scenarios) {
    const row = await measure(corpus, scenario, queries);
    rows.push(row);
    console.error(`${row.corpus}, ${row.scenario}: ${Math.round(row.perSecond)} a second of CPU time`);
  }
}
const text = report(rows);
console.log(text);
if (!options.print) writeFileSync(join(import.meta.dirname, "search-server.md"), text);

async function measure(corpus: string, scenario: Scenario, queries: readonly string[]): Promise<Row> {
  const file = join(import.meta.dirname, "search-server/server.ts");
  const server = fork(file, [corpus, scenario.keepsAnswers ? String(32 * 1024 * 1024) : "0"]);
  try {
    const listening = await answerOf(server, "listening");
    const bodies = scenario.queriesOf(queries).map(bodyOf);
    const connections = Number(options.connections);
    const load = { port: listening.port, path: "/multi-search", connections, ...scenario };
    await sendLoad({ ...load, bodies: cycle(bodies, SEARCHES) });
    let best: Row | null = null;
    for (let run = 0; run < RUNS; run++) {
      const before = await cpuOf(server);
      const { bytes } = await sendLoad({ ...load, bodies: cycle(bodies, SEARCHES) });
      const perSecond = (1000 * SEARCHES) / ((await cpuOf(server)) - before);
      if (best && perSecond < best.perSecond) continue;
      best = { scenario: scenario.name, corpus, perSecond, kilobytes: bytes / SEARCHES / 1000 };
    }
    return best!;
  } finally {
    server.kill();
  }
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send("cpu");
  return (await answerOf(server, "cpu")).ms;
}

async function answerOf<Kind extends ServerMessage["kind"]>(server: ChildProcess, kind: Kind) {
  // The only messages that search-server/server.ts sends.
  const [message] = (await once(server, "message")) as [ServerMessage];
  if (message.kind !== kind) throw new Error(`Expected ${kind}, but the server sent ${message.kind}.`);
  return message as Extract<ServerMessage, { kind: Kind }>;
}

function bodyOf(query: string): string {
  return JSON.stringify({ queries: [searchQuery({ indexUid: "docs", query })] });
}

function distinct(queries: readonly string[]): string[] {
  return [...queries];
}

/** Every prefix of queries that are far apart in the list. */
function typed(queries: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(queries.length / 150));
  return queries
    .filter((_, at) => at % step === 0)
    .flatMap((q) => Array.from(q, (_, at) => q.slice(0, at + 1)))
    .filter((q) => q.trim() === q);
}

function repeated(queries: readonly string[]): string[] {
  return queries.slice(0, 200);
}

function cycle(items: readonly string[], length: number): string[] {
  return Array.from({ length }, (_, at) => items[at % items.length]!);
}

function report(rows: readonly Row[]): string {
  const corpora = [...new Set(rows.map(({ corpus }) => corpus))];
  const lines = scenarios.map(({ name }) => {
    const cells = corpora.map((corpus) => {
      const row = rows.find((row) => row.corpus === corpus && row.scenario === name);
      return row ? `${Math.round(row.perSecond)} (${row.kilobytes.toFixed(1)} KB)` : "–";
    });
    return `| ${[name, ...cells].join(" | ")} |`;
  });
  return `# Searches per second over HTTP

\`npm run bench:search-server\` sends bodies as the documentation's search box sends them (limit 21, every attribute
highlighted) over ${options.connections} open connections and divides the answers by the server process's CPU time, its threads for garbage and
compilation included: what one core answers. In brackets: the mean answer as sent. The queries are those of
\`bench/README.md\`; "as typed" is every beginning of 150 of them.

Measured with Node ${process.version} on ${cpus()[0]?.model.trim() ?? "an unknown processor"}, ${new Date().toISOString().slice(0, 10)}.

| | ${corpora.join(" | ")} |
| --- | ${corpora.map(() => "---:").join(" | ")} |
${lines.join("\n")}
`;
}
