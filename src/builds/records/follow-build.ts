/** Streams of one build: its records so far, then additions until it has ended. */
import { askDatabase } from "#accounts/index.ts";
import type { Build, LogLine, Step } from "../contract/builds.ts";
import {
  HEARTBEAT_MS,
  MAX_BLOCK_LINES,
  MAX_READ_BLOCK_BYTES,
  MAX_STEPS_PER_MESSAGE,
  POLL_MS,
} from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import { unpackBlock } from "./log-blocks.ts";
import { findRow, readPositions, readSteps, type Revisions, toBuild } from "./read-build.ts";

type Parts = Pick<BuildParts, "database" | "changes" | "clock">;
const BLOCKS_AT_ONCE = 20;

/** With SQLite, only this process changes anything. */
const pauseOf = ({ kind }: Parts["database"]) => (kind === "sqlite" ? HEARTBEAT_MS : POLL_MS);

export const hasEnded = (state: string): boolean => state !== "queued" && state !== "running";

/** @param buildId of a build that the caller may read */
export async function* watchBuild(
  { database, changes, clock }: Parts,
  buildId: string,
  signal: AbortSignal,
): AsyncGenerator<{ build?: Build; steps: readonly Step[] }> {
  let seen = -1;
  let spokeAt = clock();
  while (!signal.aborted) {
    // Later changes wake it.
    const changed = changes.wait(buildId, pauseOf(database), signal);
    const row = await askDatabase(() => findRow(database, buildId));
    if (!row) return;
    if (row.revision > seen) {
      let build: Build | undefined = toBuild(row, clock());
      for await (const steps of readInParts(database, buildId, { since: seen, until: row.revision })) {
        spokeAt = clock();
        yield build ? { build, steps } : { steps };
        build = undefined;
      }
      seen = row.revision;
      // Changes made during the read are also sent.
      if (hasEnded(row.state)) continue;
    } else if (Math.abs(clock() - spokeAt) >= HEARTBEAT_MS) {
      spokeAt = clock();
      yield { steps: [] };
    }
    if (hasEnded(row.state)) return;
    await changed;
  }
}

/** Steps that changed, in portions that a slow reader may hold; at least one list, which may be empty. */
async function* readInParts(
  database: Parts["database"],
  buildId: string,
  revisions: Revisions,
): AsyncGenerator<Step[]> {
  const positions = await askDatabase(() => readPositions(database, buildId, revisions));
  for (let at = 0; at === 0 || at < positions.length; at += MAX_STEPS_PER_MESSAGE) {
    const from = positions[at] ?? 0;
    const to = positions[at + MAX_STEPS_PER_MESSAGE - 1] ?? positions.at(-1) ?? 0;
    const steps = await askDatabase(() => readSteps(database, buildId, { ...revisions, from, to }));
    if (at === 0 || steps.length > 0) yield steps;
  }
}

/** @param after the `sequence` of the last line that the caller has */
export async function* followLog(
  { database, changes, clock }: Parts,
  { buildId, after }: { buildId: string; after: number },
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  let last = after;
  let lastLine: LogLine | null = null;
  let spokeAt = clock();
  while (!signal.aborted) {
    const changed = changes.wait(buildId, pauseOf(database), signal);
    const row = await askDatabase(() => findRow(database, buildId));
    if (!row) return;
    for (;;) {
      const before = last;
      for (const line of unpackBlocks(await readBlocks(database, { buildId, after: last }), last)) {
        yield line;
        lastLine = line;
        last = line.sequence;
      }
      if (last === before || signal.aborted) break;
      spokeAt = clock();
    }
    // The end is written after all lines.
    if (hasEnded(row.state)) return;
    if (Math.abs(clock() - spokeAt) >= HEARTBEAT_MS) {
      spokeAt = clock();
      yield heartbeat(row.state, lastLine, { last, now: clock() });
    }
    await changed;
  }
}

/** A slow reader holds some compressed blocks, and the lines of one. */
async function readBlocks(
  { db }: Parts["database"],
  { buildId, after }: { buildId: string; after: number },
): Promise<KeptBlock[]> {
  const blocks = await askDatabase(() =>
    db
      .selectFrom("build_log")
      .select(["first_line", "data"])
      .where("build_id", "=", buildId)
      .where("last_line", ">", after)
      // The range of the key: a log may have a hundred thousand blocks.
      .where("first_line", ">", after - MAX_BLOCK_LINES)
      .orderBy("first_line")
      .limit(BLOCKS_AT_ONCE)
      .execute(),
  );
  let bytes = 0;
  return blocks
    .filter(({ data }, at) => (bytes += data.length) <= MAX_READ_BLOCK_BYTES || at === 0)
    .map(({ first_line: firstLine, data }) => ({ firstLine, data }));
}

type KeptBlock = Parameters<typeof unpackBlock>[0];

function* unpackBlocks(blocks: readonly KeptBlock[], after: number): Generator<LogLine> {
  for (const block of blocks) for (const line of unpackBlock(block)) if (line.sequence > after) yield line;
}

/** Keeps the stream alive. It has the number of the line before, and is not stored. */
function heartbeat(
  state: string,
  line: LogLine | null,
  { last, now }: { last: number; now: number },
): LogLine {
  const { step = "", stepId = "", time = now } = line ?? {};
  const seconds = Math.max(0, Math.round((now - time) / 1000));
  const text = state === "queued" ? "waiting for a builder" : `still running, no output for ${seconds} s`;
  return { sequence: last, step, stepId, stream: "status", text, time: now };
}
