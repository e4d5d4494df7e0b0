/**
 * One engine on one corpus, in its own process, so that other engines' memory and compiled code do not count. Prints one JSON
 * `Measurement`. Called by ../search.ts: node --expose-gc measure.ts <engine> <corpus> <relevance|speed|both>
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pageOf, readQueries, readRecords, typedStream, type CorpusQuery } from "./corpus.ts";
import type { Engine, OpenedEngine } from "./engines/engine.ts";
import { type Footprint, footprint } from "./footprint.ts";

export interface ClassScore {
  queries: number;
  mrr: number;
  success1: number;
  success5: number;
  empty: number;
  /** Mean reciprocal rank of the exact section, over queries whose every answer is a section; null if there are none. */
  anchorMrr: number | null;
}

/** Milliseconds. */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface Measurement extends Footprint {
  engine: string;
  corpus: string;
  records: number;
  /** The machine's load average of the last minute when searching began. */
  load: number;
  /** Milliseconds of CPU time. */
  buildMs: number;
  sizeBytes: number | null;
  relevance?: { [queryClass: string]: ClassScore };
  /** CPU time per search as a reader types; `short`: searches of one and two letters. */
  speed?: { searches: number; typing: Percentiles; short: Percentiles };
}

const [engineName = "", corpus = "", what = "both"] = process.argv.slice(2);
// Each adapter exports `engine`; which one is known only at run time.
const { engine } = (await import(`./engines/${engineName}.ts`)) as { engine: Engine };

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

let records: ReturnType<typeof readRecords> | null = readRecords(corpus);
const recordCount = records.length;
const start = cpu();
const opened = engine.open(records);
const buildMs = cpu() - start;
records = null;
const heapBytes = footprint().heapBytes;
const queries = readQueries(corpus);
const load = loadavg()[0] ?? 0;
const relevance = what === "speed" ? undefined : measureRelevance(opened, queries);
const speed = what === "relevance" ? undefined : measureSpeed(opened, queries);
const measurement: Measurement = {
  engine: engine.name,
  corpus,
  records: recordCount,
  load,
  buildMs,
  ...(reopenedFootprint(opened) ?? { ...footprint(), heapBytes }),
  sizeBytes: opened.size(),
  ...(relevance && { relevance }),
  ...(speed && { speed }),
};
process.stdout.write(JSON.stringify(measurement));

/** Memory of a process that only opens the stored index, as a server does. null if the engine stores nothing. */
function reopenedFootprint({ stored }: OpenedEngine): Footprint | null {
  if (!stored || !engine.reopen) return null;
  const folder = mkdtempSync(join(tmpdir(), "millrace-bench-"));
  try {
    const file = join(folder, "index");
    writeFileSync(file, stored());
    const script = join(import.meta.dirname, "reopen.ts");
    const args = ["--expose-gc", script, engineName, corpus, file];
    const child = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (child.status !== 0) throw new Error(child.stderr);
    // Printed by reopen.ts.
    return JSON.parse(child.stdout) as Footprint;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Hits count by page: the first ten different pages among the first hundred hits. */
function measureRelevance(
  engine: OpenedEngine,
  queries: CorpusQuery[],
): { [queryClass: string]: ClassScore } {
  const scores: { [queryClass: string]: ClassScore } = {};
  for (const [queryClass, ofClass] of Map.groupBy(queries, (query) => query.class)) {
    const results = ofClass.map(({ q, pages, urls }) => {
      const found = engine.search(q, 100);
      const rank = rankOf([...new Set(found.map(pageOf))], pages);
      const isAnchored = urls.every((url) => url.includes("#"));
      return {
        rank,
        anchorRank: isAnchored ? rankOf([...new Set(found)], urls) : null,
        isEmpty: found.length === 0,
      };
    });
    const anchored = results.flatMap(({ anchorRank }) => (anchorRank === null ? [] : [anchorRank]));
    scores[queryClass] = {
      queries: results.length,
      mrr: mean(results.map(({ rank }) => reciprocal(rank))),
      success1: mean(results.map(({ rank }) => Number(rank === 1))),
      success5: mean(results.map(({ rank }) => Number(rank >= 1 && rank <= 5))),
      empty: mean(results.map(({ isEmpty }) => Number(isEmpty))),
      anchorMrr: anchored.length === 0 ? null : mean(anchored.map(reciprocal)),
    };
  }
  return scores;
}

/** Rank, from 1, of the first right hit among the first ten; 0 = none. */
function rankOf(found: string[], right: string[]): number {
  return found.slice(0, 10).findIndex((one) => right.includes(one)) + 1;
}

function reciprocal(rank: number): number {
  return rank === 0 ? 0 : 1 / rank;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Sequential searches, after a hundred to warm up. */
function measureSpeed(engine: OpenedEngine, queries: CorpusQuery[]): Measurement["speed"] {
  const stream = typedStream(queries);
  for (const q of stream.slice(0, 100)) engine.search(q, 20);
  const deadline = performance.now() + 120_000;
  const times: { q: string; time: number }[] = [];
  for (const q of stream) {
    if (performance.now() > deadline) break;
    const before = cpu();
    engine.search(q, 20);
    times.push({ q, time: cpu() - before });
  }
  return {
    searches: times.length,
    typing: percentiles(times.map(({ time }) => time)),
    short: percentiles(times.filter(({ q }) => q.length <= 2).map(({ time }) => time)),
  };
}

function percentiles(times: number[]): Percentiles {
  const sorted = times.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
