/** One table of all measurements: the peer, Millrace, and their ratio. */
import { cpus, loadavg } from "node:os";

export interface Row {
  name: string;
  unit: string;
  /** The peer's figures: for a build, plain `buildx`. */
  plain?: readonly number[];
  millrace: readonly number[];
  goal?: string;
  digits?: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 ? middle : middle - 1],
    sorted[middle],
  ];
  return (low + high) / 2;
}

function cell(values: readonly number[] | undefined, digits: number): string {
  if (!values) return "";
  const text = (value: number) => value.toFixed(digits);
  if (values.length < 2) return text(median(values));
  return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}

export function printTable(rows: readonly Row[]): void {
  const line = (cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);
  const load = loadavg().map((value) => value.toFixed(1));
  console.log(
    `\nMedians, least and most; load average ${load.join(", ")}; ${cpus().length} processors; Node ${process.version}.\n`,
  );
  line(["", "unit", "compared with", "Millrace", "ratio", "more", "goal"]);
  line(["---", "---", "---:", "---:", "---:", "---:", "---"]);
  for (const { name, unit, plain, millrace, goal = "", digits = 2 } of rows) {
    const [before, after] = [plain && median(plain), median(millrace)];
    const ratio = before === undefined ? "" : (after / before).toFixed(2);
    const more = before === undefined ? "" : (after - before).toFixed(digits);
    line([name, unit, cell(plain, digits), cell(millrace, digits), ratio, more, goal]);
  }
}
