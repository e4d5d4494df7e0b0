/**
 * The lines of a build's log, in the order in which the server stored them. They only grow: a line keeps its number, and
 * appending copies none of the existing lines.
 */
import { PLAIN, type Style, stripAnsi, styleAfter } from "./ansi.ts";

/** Limit of lines in the page, some 250 MB; `millrace builds logs` prints all. */
export const MAX_LINES = 1_000_000;
/** Characters of one line; a longer line ends with a mark. */
export const MAX_LINE = 1_000_000;

export interface LogLine {
  /** From 1, over all steps. */
  number: number;
  stepId: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Includes a terminal's colours, for `parseAnsi`. */
  text: string;
  /** The style at its start. */
  style: Style;
  isError: boolean;
}

/** Output of one step. */
export interface Written {
  stepId: string;
  /** Any part of its output: several lines, or a piece of one. */
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

interface StepLines {
  /** Positions in `lines`, ascending. */
  positions: number[];
  /** The last line has no end yet: following text belongs to it. */
  isOpen: boolean;
  /** The last line ended with a carriage return: following text replaces it. */
  isReturned: boolean;
  style: Style;
}

export class LogLines {
  /** Grows with each change, for caches of results made from the lines. */
  version = 0;
  /** Number of lines that arrived after the limit. */
  dropped = 0;
  /** The last marked line. */
  lastError: LogLine | null = null;
  readonly #lines: LogLine[] = [];
  readonly #steps = new Map<string, StepLines>();
  readonly #failed = new Set<string>();

  get count(): number {
    return this.#lines.length;
  }

  countOf(stepId: string): number {
    return this.#steps.get(stepId)?.positions.length ?? 0;
  }

  /** The line at a position, from 0. */
  line(position: number): LogLine | undefined {
    return this.#lines[position];
  }

  /** The position of a step's line, from 0. */
  positionOf(stepId: string, index: number): number {
    return this.#steps.get(stepId)?.positions[index] ?? -1;
  }

  /** A line's index in its step, from 0; the next index when the line is another step's. */
  indexIn(stepId: string, position: number): number {
    const positions = this.#steps.get(stepId)?.positions ?? [];
    let low = 0;
    for (let high = positions.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((positions[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  append(parts: readonly Written[]): void {
    for (const part of parts) this.#write(part);
    if (parts.length > 0) this.version++;
  }

  /** Marks the lines of a failed step that explain the failure, including later ones. */
  markFailed(stepId: string): void {
    if (this.#failed.has(stepId)) return;
    this.#failed.add(stepId);
    for (const position of this.#steps.get(stepId)?.positions ?? []) {
      const line = this.#lines[position];
      if (line && saysError(line.text)) this.#replace(position, { ...line, isError: true });
    }
    this.version++;
  }

  /** The builder's own message about a failed step: a separate, marked line. */
  appendError(stepId: string, text: string, at: number): void {
    const lines = this.#linesOf(stepId);
    lines.isOpen = false;
    for (const part of text.slice(0, MAX_LINE).split("\n").slice(0, 20))
      this.#add({ stepId, text: part, at }, true);
    this.version++;
  }

  #write({ stepId, text, at }: Written): void {
    const lines = this.#linesOf(stepId);
    const parts = text.split("\n");
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      // No line has begun after the last line break.
      if (isLast && part === "") break;
      if (lines.isOpen) this.#extend(lines, part);
      else this.#add({ stepId, text: part, at }, false);
      lines.isOpen = isLast;
      lines.isReturned = isLast && part.endsWith("\r");
    }
  }

  #linesOf(stepId: string): StepLines {
    const known = this.#steps.get(stepId);
    if (known) return known;
    const lines: StepLines = { positions: [], isOpen: false, isReturned: false, style: PLAIN };
    this.#steps.set(stepId, lines);
    return lines;
  }

  #add({ stepId, text, at }: Written, isError: boolean): void {
    if (this.#lines.length >= MAX_LINES) {
      this.dropped++;
      return;
    }
    const lines = this.#linesOf(stepId);
    const shown = cutLine(overwrite(text));
    lines.positions.push(this.#lines.length);
    this.#replace(this.#lines.length, {
      number: this.#lines.length + 1,
      stepId,
      at,
      text: shown,
      style: isError ? PLAIN : lines.style,
      isError: isError || (this.#failed.has(stepId) && saysError(shown)),
    });
    lines.style = styleAfter(shown, lines.style);
  }

  #extend(lines: StepLines, text: string): void {
    const position = lines.positions.at(-1) ?? -1;
    const line = this.#lines[position];
    if (!line || line.text.length > MAX_LINE) return;
    const whole = cutLine(overwrite(lines.isReturned && text !== "" ? text : line.text + text));
    const isError = line.isError || (this.#failed.has(line.stepId) && saysError(whole));
    this.#replace(position, { ...line, text: whole, isError });
    lines.style = styleAfter(whole, line.style);
  }

  #replace(position: number, line: LogLine): void {
    this.#lines[position] = line;
    if (line.isError) this.lastError = line;
  }
}

/** A carriage return restarts the line, as in progress bars; one at the end is from Windows. */
function overwrite(text: string): string {
  if (!text.includes("\r")) return text;
  const ended = text.replace(/\r+$/, "");
  return ended.slice(ended.lastIndexOf("\r") + 1);
}

const cutLine = (text: string) =>
  text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)} … cut at ${MAX_LINE / 1_000_000} MB` : text;

/** For failed steps: recognizes error lines of compilers and tools. Only the start of a long line is read. */
function saysError(text: string): boolean {
  const start = stripAnsi(text.slice(0, 400));
  return /^[^\s:]+:\d+(?::\d+)?: /.test(start) || /\b(?:error\b|fatal\b|panic\b|ERR!)/i.test(start);
}
