/** Prints the progress of several builds: on a terminal, as lines, as JSON, or not at all. */
import type { Invocation } from "../session.ts";
import { cleanText } from "../text.ts";
import { mergeProgress, passProgress, type TakeLine } from "./merge-progress.ts";
import { plainView } from "./plain-view.ts";
import { progressMode } from "./prepare.ts";
import type { Token } from "./split-arguments.ts";
import { terminalView } from "./terminal-view.ts";

const DRAW_MS = 100;

export interface Progress extends Disposable {
  take: TakeLine;
  /** Prints a line of the command itself, in order with the others. */
  note: (line: string) => void;
}

export function openProgress(
  { terminal, env }: Pick<Invocation, "terminal" | "env">,
  tokens: readonly Token[],
): Progress {
  const mode = progressMode(tokens, env);
  const { screen, err } = terminal;
  const fixed = (take: TakeLine): Progress => ({
    take,
    note: (line) => err(`${line}\n`),
    [Symbol.dispose]() {},
  });
  if (mode === "quiet" || mode === "none") return fixed(() => {});
  if (mode === "rawjson") return fixed(passProgress(err));
  if (mode === "plain" || !screen) return fixed(mergeProgress(plainView(err)));
  const view = terminalView({ ...screen, write: err, now: () => performance.now() });
  // Draws immediately: nothing else appears until the server has answered.
  view.draw();
  const timer = setInterval(() => view.draw(), DRAW_MS);
  const stopWatching = screen.onResize(() => view.draw());
  return {
    take: mergeProgress(view),
    note: (line) => view.note(cleanText(line)),
    [Symbol.dispose]() {
      clearInterval(timer);
      stopWatching();
      view.end();
    },
  };
}
