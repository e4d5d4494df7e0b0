/** Shared parts of server benches: a temporary folder, tables in Markdown, runs chosen by name. */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import type { Figures } from "./measure.ts";

export function makeFolder(parent: string, name: string): string {
  const folder = mkdtempSync(join(parent, `millrace-bench-${name}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type Column = readonly [title: string, cell: (figures: Figures) => string];

/** One decimal place for small values. */
const brief = (value: number, most: number) => value.toFixed(value < most ? 1 : 0);

export const COLUMNS = {
  perSecond: ["requests a second", ({ perSecond }) => brief(perSecond, 100)],
  perCore: ["a second of one core", ({ cpuUs }) => brief(1e6 / cpuUs, 100)],
  megabytes: ["MB a second", ({ megabytesPerSecond }) => brief(megabytesPerSecond, 10)],
  cpu: ["CPU µs a request", ({ cpuUs }) => cpuUs.toFixed(0)],
  p99: ["p99 ms", ({ p99Ms }) => p99Ms.toFixed(2)],
  requests: ["requests", ({ requests }) => String(requests)],
} as const satisfies Record<string, Column>;

export interface Table {
  begin: (title: string) => void;
  show: (row: string, peer: string, figures: Figures) => void;
}

export function createTable(columns: readonly Column[]): Table {
  const line = (cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);
  return {
    begin(title) {
      console.log(`\n### ${title} (load average ${loadavg()[0]?.toFixed(1)})\n`);
      line(["", "server", ...columns.map(([name]) => name)]);
      line(["---", "---", ...columns.map(() => "---:")]);
    },
    show(row, peer, figures) {
      line([row, peer, ...columns.map(([, cell]) => cell(figures))]);
    },
  };
}

/** Runs them in sequence. @param names separated by commas @throws Error for an unknown name */
export async function runChosen(
  runs: Readonly<Record<string, () => Promise<void>>>,
  names: string,
): Promise<void> {
  for (const name of names.split(",")) {
    const run = runs[name];
    if (!run) throw new Error(`--runs has ${name}; it must be one of: ${Object.keys(runs).join(", ")}.`);
    await run();
  }
}
