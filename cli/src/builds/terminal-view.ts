/**
 * Progress on a terminal. Steps that have ended scroll up, once each; the running steps are redrawn in place below them:
 *
 *    => CACHED [api 1/3] FROM base
 *    => [api 2/3] COPY package.json ./                             0.1s
 *   [+] Building 4.2s (9/21)
 *    => [api 3/3] RUN npm ci                                       3.9s
 *    => => # added 112 packages
 *    => [web 2/2] RUN make                                         3.1s
 *
 * Every redrawn line fits the terminal, which may change its size at any time. A terminal that became narrower has rewrapped our
 * lines, so the rows to go up are counted with its present width.
 */
import { cutText, displayWidth, padText } from "../text.ts";
import type { ProgressStep, ProgressView, StepEnd } from "./merge-progress.ts";

export interface Screen {
  write: (text: string) => void;
  /** The current size. */
  size: () => { columns: number; rows: number };
  hasColors: boolean;
  now: () => number;
}

export interface TerminalView extends ProgressView {
  /** Draws changes and the time. */
  draw: () => void;
  /** Removes the lines that were drawn in place. */
  end: () => void;
}

/** Lines of output for a running step and for a failed step. */
const RECENT_LINES = 4;
const FAILED_LINES = 20;
/** Lines added since the last drawing. */
const MAX_WAITING = 1000;
/** Columns of a line's text, if its time is shown next to it. */
const LEAST_COLUMNS = 20;

interface Line {
  text: string;
  /** Shown at the right. */
  ms?: number;
  /** Long errors must be readable: the terminal may wrap them, since they are never redrawn. */
  isWhole?: boolean;
  style: Style;
}

interface Running {
  step: ProgressStep;
  begunMs: number;
  lines: string[];
  status: string;
}

export function terminalView(screen: Screen): TerminalView {
  const region = openRegion(screen);
  const begunMs = screen.now();
  const running = new Map<number, Running>();
  const counts = { ended: 0, total: 0 };
  const drawLines = () => {
    const elapsed = formatSeconds(screen.now() - begunMs);
    const header = `[+] Building ${elapsed} (${counts.ended}/${counts.total})`;
    region.draw([{ text: header, style: "bold" }, ...linesOf([...running.values()], screen)]);
  };
  const print = (line: Line) => {
    if (region.add(line) > MAX_WAITING) drawLines();
  };
  return {
    started(step) {
      running.set(step.number, { step, begunMs: screen.now(), lines: [], status: "" });
    },
    log({ number }, line) {
      const known = running.get(number);
      if (!known) return;
      known.lines.push(line);
      if (known.lines.length > FAILED_LINES) known.lines.shift();
    },
    status({ number }, text, isDone) {
      const known = running.get(number);
      if (known) known.status = isDone ? "" : text;
    },
    ended(step, end, seconds) {
      const known = running.get(step.number);
      running.delete(step.number);
      counts.ended += 1;
      print({ text: ` => ${wordFor(end)}${step.name}`, ms: seconds * 1000, style: styleOf(end) });
      if (end.kind !== "failed") return;
      for (const text of known?.lines ?? [])
        print({ text: ` => => # ${text}`, style: "plain", isWhole: true });
      print({ text: ` => => ${end.error}`, style: "red", isWhole: true });
    },
    note: (text) => print({ text, style: "plain", isWhole: true }),
    count(steps) {
      counts.total = steps;
    },
    draw: drawLines,
    end: () => region.draw([]),
  };
}

interface Region {
  /** Adds a line above the region, with the next drawing. @returns how many are waiting */
  add: (line: Line) => number;
  draw: (lines: readonly Line[]) => void;
}

function openRegion(screen: Screen): Region {
  const paint = painter(screen.hasColors);
  let drawn: string[] = [];
  let waiting: Line[] = [];
  return {
    // Lines are cut when they are drawn: the terminal may have another size by then.
    add: (line) => waiting.push(line),
    draw(lines) {
      const width = Math.max(2, screen.size().columns);
      const up = drawn.reduce((rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / width)), 0);
      const erase = up > 0 ? `\u001b[${up}A\r\u001b[J` : "";
      const format = (all: readonly Line[]) => all.map((line) => ({ ...line, text: fit(line, width - 1) }));
      const [above, below] = [format(waiting), format(lines)];
      waiting = [];
      drawn = below.map(({ text }) => text);
      const text = [...above, ...below].map((line) => `${paint(line.text, line.style)}\n`).join("");
      if (erase !== "" || text !== "") screen.write(erase + text);
    },
  };
}

/** The running steps, in as many lines as fit below the header. */
function linesOf(running: readonly Running[], screen: Screen): Line[] {
  const now = screen.now();
  const room = Math.max(1, screen.size().rows - 3);
  const lines: Line[] = [];
  for (const [at, each] of running.entries()) {
    const left = room - lines.length - (at < running.length - 1 ? 1 : 0);
    if (left < 1) return [...lines, { text: ` => … and ${running.length - at} more`, style: "plain" }];
    lines.push({ text: ` => ${each.step.name}`, ms: now - each.begunMs, style: "plain" });
    const share = Math.min(RECENT_LINES, left - 1, Math.floor(room / running.length) - 1);
    const details = share > 0 ? detailOf(each).slice(-share) : [];
    lines.push(...details.map((text): Line => ({ text: ` => => ${text}`, style: "dim" })));
  }
  return lines;
}

function detailOf({ lines, status }: Running): string[] {
  const texts = lines.map((line) => `# ${line}`);
  return status === "" ? texts : [...texts, status];
}

const wordFor = ({ kind }: StepEnd): string =>
  kind === "done" ? "" : `${kind === "failed" ? "ERROR" : kind.toUpperCase()} `;

const styleOf = ({ kind }: StepEnd): Style =>
  kind === "failed" ? "red" : kind === "canceled" ? "dim" : "blue";

const formatSeconds = (ms: number): string => `${(Math.max(0, ms) / 1000).toFixed(1)}s`;

/** Puts the time at the right edge, or drops it if there is no room for both. */
function fit({ text, ms, isWhole = false }: Line, width: number): string {
  if (isWhole) return text;
  if (ms === undefined) return cutText(text, width);
  const time = formatSeconds(ms);
  const room = width - time.length - 1;
  return room < LEAST_COLUMNS ? cutText(text, width) : `${padText(cutText(text, room), room)} ${time}`;
}

type Style = "plain" | "bold" | "dim" | "blue" | "red";
const STYLES: { [style in Style]: readonly [number, number] | undefined } = {
  plain: undefined,
  bold: [1, 22],
  dim: [2, 22],
  blue: [34, 39],
  red: [31, 39],
};

const painter =
  (hasColors: boolean) =>
  (text: string, style: Style): string => {
    const codes = STYLES[style];
    return codes && hasColors ? `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m` : text;
  };
