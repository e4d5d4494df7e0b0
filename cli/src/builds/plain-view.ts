/** Progress as lines, for logs and pipes: `#4 0.532 text` and, at the end of a step, `#4 DONE 1.2s`. */
import type { ProgressView, StepEnd } from "./merge-progress.ts";

/** @param print gets whole lines */
export function plainView(print: (text: string) => void): ProgressView {
  return {
    started: ({ number, name }) => print(`#${number} ${name}\n`),
    log: ({ number }, line, seconds) => print(`#${number} ${seconds.toFixed(3)} ${line}\n`),
    // Unfinished transfers change too often to print each change.
    status: ({ number }, text, isDone) => (isDone ? print(`#${number} ${text} done\n`) : undefined),
    ended: ({ number }, end, seconds) => print(`#${number} ${wordFor(end, seconds)}\n\n`),
    note: (line) => print(`${line}\n`),
    count() {},
  };
}

function wordFor(end: StepEnd, seconds: number): string {
  if (end.kind === "failed") return `ERROR: ${end.error}`;
  return end.kind === "done" ? `DONE ${seconds.toFixed(1)}s` : end.kind.toUpperCase();
}
