/** A log is stored as rows of some lines each: compressed JSON, addressed by line numbers. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { LogLine } from "../contract/builds.ts";
import { MAX_BLOCK_LENGTH, MAX_BLOCK_LINES, MAX_LINE_LENGTH } from "../contract/limits.ts";

/** Largest inflated size of a block: its lines, and the data next to each line's text. */
const MAX_INFLATED_BYTES = 8 * (MAX_BLOCK_LENGTH + MAX_LINE_LENGTH) + MAX_BLOCK_LINES * 512;
/** 0.4 ms for each 100 kB; higher levels take three times as long for 10 % less. */
const LEVEL = 1;

type Packed = [step: string, stepId: string, stream: LogLine["stream"], text: string, time: number];

export interface LogBlock {
  firstLine: number;
  lastLine: number;
  data: Uint8Array;
}

export function packLines(lines: readonly LogLine[]): LogBlock[] {
  const blocks: LogBlock[] = [];
  let length = 0;
  let start = 0;
  lines.forEach((line, at) => {
    length += line.text.length;
    const isLast = at === lines.length - 1;
    if (!isLast && length < MAX_BLOCK_LENGTH && at - start + 1 < MAX_BLOCK_LINES) return;
    blocks.push(packBlock(lines.slice(start, at + 1)));
    start = at + 1;
    length = 0;
  });
  return blocks;
}

function packBlock(lines: readonly LogLine[]): LogBlock {
  const packed = lines.map(({ step, stepId, stream, text, time }): Packed => [
    step,
    stepId,
    stream,
    text,
    time,
  ]);
  return {
    firstLine: lines[0]!.sequence,
    lastLine: lines.at(-1)!.sequence,
    data: deflateRawSync(JSON.stringify(packed), { level: LEVEL }),
  };
}

export function unpackBlock({ firstLine, data }: Pick<LogBlock, "firstLine" | "data">): LogLine[] {
  const text = inflateRawSync(data, { maxOutputLength: MAX_INFLATED_BYTES }).toString();
  // Only `packBlock` writes it.
  const packed = JSON.parse(text) as Packed[];
  return packed.map(([step, stepId, stream, line, time], at) => ({
    sequence: firstLine + at,
    step,
    stepId,
    stream,
    text: line,
    time,
  }));
}
