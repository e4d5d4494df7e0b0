/** The rows of a log: the head of each step, and the lines of open steps. */
import type { LogLine, LogLines } from "./log-lines.ts";

/** The log's view of a step; a build's steps fit it. */
export interface LogStep {
  id: string;
  /** From 1: `#12`. */
  number: number;
  /** The builder's text. */
  title: string;
  stage: string;
  state: "waiting" | "running" | "cached" | "worked" | "failed" | "canceled";
  /** Milliseconds since 1970. */
  start: number | null;
  /** Milliseconds. */
  worked: number;
  exitCode: number | null;
}

export interface Section {
  key: string;
  /** One step, or consecutive cached steps without output. */
  steps: readonly LogStep[];
  isOpen: boolean;
  lines: number;
  /** The head's row. */
  start: number;
  /** Head, lines, and the further parts of long lines. */
  rows: number;
  /** Long lines that are shown in full, by their index in the step, ascending. */
  expanded: readonly Expanded[];
}

interface Expanded {
  index: number;
  parts: number;
}

export type LogRow =
  | { kind: "head"; section: Section }
  /** `part` counts from 0; a line that is not shown in full has one part. */
  | { kind: "line"; section: Section; line: LogLine; part: number };

/** Characters shown of a line until the reader asks for all. */
export const ROW_LENGTH = 2000;
/** Characters in each row of a line that is shown in full: with more of them a window full of rows takes longer than a frame. */
export const PART_LENGTH = 500;

export interface SectionInput {
  steps: readonly LogStep[];
  log: LogLines;
  isOpen: (key: string, step: LogStep) => boolean;
  /** Numbers of the lines that are shown in full. */
  expanded: ReadonlySet<number>;
}

export function makeSections({ steps, log, isOpen, expanded }: SectionInput): Section[] {
  const sections: Section[] = [];
  let start = 0;
  for (const group of groupCached(steps, log)) {
    const [step] = group;
    if (!step) continue;
    const lines = group.length > 1 ? 0 : log.countOf(step.id);
    const open = lines > 0 && isOpen(step.id, step);
    const longLines = open ? expandedOf(step.id, log, expanded) : [];
    const more = longLines.reduce((sum, { parts }) => sum + parts - 1, 0);
    const rows = 1 + (open ? lines + more : 0);
    sections.push({ key: step.id, steps: group, isOpen: open, lines, start, rows, expanded: longLines });
    start += rows;
  }
  return sections;
}

/** Waiting steps are not in the log. */
function groupCached(steps: readonly LogStep[], log: LogLines): LogStep[][] {
  const groups: LogStep[][] = [];
  for (const step of steps) {
    if (step.state === "waiting" && log.countOf(step.id) === 0) continue;
    const open = groups.at(-1);
    const before = open?.at(-1);
    if (open && before && isQuiet(before, log) && isQuiet(step, log)) open.push(step);
    else groups.push([step]);
  }
  return groups;
}

const isQuiet = ({ id, state }: LogStep, log: LogLines) => state === "cached" && log.countOf(id) === 0;

function expandedOf(stepId: string, log: LogLines, numbers: ReadonlySet<number>): Expanded[] {
  const found: Expanded[] = [];
  for (const number of numbers) {
    const line = log.line(number - 1);
    if (line?.stepId !== stepId) continue;
    found.push({ index: log.indexIn(stepId, number - 1), parts: Math.ceil(line.text.length / PART_LENGTH) });
  }
  return found.sort((one, other) => one.index - other.index);
}

export const countRows = (sections: readonly Section[]) => {
  const last = sections.at(-1);
  return last ? last.start + last.rows : 0;
};

export const sectionAt = (sections: readonly Section[], row: number): Section | undefined =>
  sections[sectionIndexAt(sections, ({ start }) => start <= row)];

/** The last section for which a condition holds that holds for all sections before it. */
function sectionIndexAt(
  sections: readonly Section[],
  holds: (section: Section, index: number) => boolean,
): number {
  let low = 0;
  for (let high = sections.length - 1; low < high;) {
    const middle = (low + high + 1) >> 1;
    const section = sections[middle];
    if (section && holds(section, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The height of `.log-line` and `.log-fold` in `log.css`, when lines are not wrapped. */
export const LINE_HEIGHT = 19;
export const HEAD_HEIGHT = 26;

/** Top of a row that is not wrapped, in pixels. */
export function topOfRow(sections: readonly Section[], row: number): number {
  const index = sectionIndexAt(sections, ({ start }) => start <= row);
  const heads = index + (row > (sections[index]?.start ?? 0) ? 1 : 0);
  return row * LINE_HEIGHT + heads * (HEAD_HEIGHT - LINE_HEIGHT);
}

/** The row at a height, in pixels. */
export function rowAtTop(sections: readonly Section[], top: number): number {
  const headTop = ({ start }: Section, index: number) =>
    start * LINE_HEIGHT + index * (HEAD_HEIGHT - LINE_HEIGHT);
  const index = sectionIndexAt(sections, (section, at) => headTop(section, at) <= top);
  const section = sections[index];
  if (!section) return 0;
  const lines = Math.floor((top - headTop(section, index) - HEAD_HEIGHT) / LINE_HEIGHT);
  return section.start + Math.min(Math.max(lines + 1, 0), section.rows - 1);
}

export function rowAt(sections: readonly Section[], log: LogLines, row: number): LogRow | null {
  const section = sectionAt(sections, row);
  if (!section || row >= section.start + section.rows) return null;
  if (row === section.start) return { kind: "head", section };
  let index = row - section.start - 1;
  let part = 0;
  for (const long of section.expanded) {
    if (index <= long.index) break;
    const over = Math.min(index - long.index, long.parts - 1);
    index -= over;
    if (index === long.index) {
      part = over;
      break;
    }
  }
  const line = log.line(log.positionOf(section.key, index));
  return line ? { kind: "line", section, line, part } : null;
}

/** The row of a line's part; null when its step is closed or unknown. */
export function rowOf(sections: readonly Section[], log: LogLines, line: LogLine, part = 0): number | null {
  const section = sections.find(({ key }) => key === line.stepId);
  if (!section?.isOpen) return null;
  const index = log.indexIn(line.stepId, line.number - 1);
  const before = section.expanded.filter((long) => long.index < index);
  const own = section.expanded.find((long) => long.index === index);
  const more = before.reduce((sum, { parts }) => sum + parts - 1, 0);
  return section.start + 1 + index + more + Math.min(part, (own?.parts ?? 1) - 1);
}
