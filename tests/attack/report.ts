/** The figures as lines and as the table in bench/README.md, next to those from before the fixes. */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import { withSection } from "./sections.ts";
import type { Figure } from "./attack.ts";

const BENCH = join(root, "bench/README.md");
/** Measured once, with `--results`, before anything was fixed. */
const BEFORE = join(root, "bench/attack-before.json");

const show = {
  bytes: (bytes: number | undefined) =>
    bytes === undefined
      ? ""
      : bytes < 10_000
        ? `${bytes} B`
        : bytes < 1e6
          ? `${Math.round(bytes / 1000)} KB`
          : `${(bytes / 1e6).toFixed(1)} MB`,
  ms: (ms: number | undefined) => (ms === undefined ? "" : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}`),
};

export function describeFigure(figure: Figure): string {
  const parts = [`${figure.name}: ${figure.outcome}`];
  if (figure.sentBytes !== undefined) parts.push(`sent ${show.bytes(figure.sentBytes)}`);
  if (figure.answerBytes !== undefined) parts.push(`received ${show.bytes(figure.answerBytes)}`);
  if (figure.blockMs !== undefined)
    parts.push(
      `block ${show.ms(figure.blockMs)} ms (CPU ${show.ms(figure.blockCpuMs)}, worker ${show.ms(figure.workerCpuMs)})`,
    );
  if (figure.memoryBytes !== undefined) parts.push(`memory +${show.bytes(figure.memoryBytes)}`);
  return parts.join(", ");
}

export function writeTable(figures: readonly Figure[]): void {
  // Written by `--results`.
  const before = (JSON.parse(readFileSync(BEFORE, "utf8")) as { figures: Figure[] }).figures;
  writeFileSync(BENCH, withSection(readFileSync(BENCH, "utf8"), "attacks", section(before, figures)));
}

function section(before: readonly Figure[], after: readonly Figure[]): string {
  const rows = after.map((figure) => {
    const former = before.find(({ item, name }) => item === figure.item && name === figure.name);
    return [
      figure.item > 0 ? String(figure.item) : "",
      figure.name,
      show.bytes(figure.sentBytes),
      former?.outcome ?? "",
      figure.outcome,
      pair(former, figure, (one) => show.bytes(one.answerBytes)),
      pair(former, figure, (one) => show.ms(one.blockCpuMs)),
      pair(former, figure, (one) => show.ms(one.workerCpuMs)),
      pair(former, figure, (one) => show.bytes(one.memoryBytes)),
    ];
  });
  const head = [
    "item",
    "attack",
    "sent",
    "outcome before",
    "outcome after",
    "answer",
    "loop, ms",
    "worker, ms",
    "memory",
  ];
  const lines = [head, ["---:", "---", "---:", "---", "---", "---:", "---:", "---:", "---:"], ...rows];
  return `## Attacks

\`npm run test:attack -- --write\` attacks the production server and writes this section; the items are those of
[decision 009](../decisions/009-threat-model.md). "Loop" is the longest stretch without a turn of the event loop, "worker"
that of the busiest worker thread (the telemetry's, the index's), both in CPU time of the thread, in milliseconds; "memory"
is the most above the idle server. Where there are two figures the first was measured before the attack was met. Tests assert
statuses, sizes, counts and memory, and never these times but for two: a second of CPU time at a stretch is a failure, and so is
one of the worst requests (29) that takes more than 50 ms each of four times, or 300 ms once.

Measured with Node ${process.version} on ${cpus()[0]?.model.trim() ?? "an unknown processor"}, ${new Date().toISOString().slice(0, 10)}, while other programs used the machine.

${lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`).join("\n")}
`;
}

function pair(before: Figure | undefined, after: Figure, read: (figure: Figure) => string): string {
  const former = before ? read(before) : "";
  return former ? `${former} → ${read(after)}` : read(after);
}
