/**
 * When a result that was missed is written: how does it differ from the last result of the same work? The work of results that
 * were not missed is also remembered, because the next build is compared with it.
 */
import type { Blobs } from "#platform/blobs/blobs.ts";
import type { CacheDatabase } from "../records/schema.ts";
import { compareActions, type ReadAction, readAction, taskOf, workOf } from "./compare-actions.ts";
import { compareBuilds, projectOf } from "./compare-builds.ts";
import { compareFacts, findWriterFacts } from "./compare-tasks.ts";
import type { Difference } from "../contract/misses.ts";
import { limitDifferences } from "./difference.ts";
import { shortenNote } from "./notes.ts";
import { createEntryReading, type EntryReading } from "./read-entry.ts";
import { hasTask, type Task } from "./read-task.ts";

export interface WrittenResult {
  /** The namespace that requests count in. */
  namespaceId: string;
  /** The namespace that it was written to. */
  writtenTo: string;
  key: string;
  /** Its owner: a project, or a token. Tasks of two projects may have the same name. */
  scope: string;
  at: number;
}

interface Earlier {
  key: string;
  written_at: number;
}

/** What a result is made from, or the task that made it. */
type Made =
  { kind: "action"; action: ReadAction } | { kind: "build"; project: string } | { kind: "task"; task: Task };

interface Tools {
  database: CacheDatabase;
  reading: EntryReading;
}

export function createExplaining(options: {
  database: CacheDatabase;
  blobs: Blobs;
}): (result: WrittenResult) => Promise<void> {
  const { database } = options;
  const tools = { database, reading: createEntryReading(options) };
  return async (result) => {
    const miss = await findMiss(database, result);
    const made = await readMade(tools, result);
    const works = worksOf(made, result, miss);
    if (miss) {
      const earlier = await findEarlier(database, result, works);
      const differences = earlier && made && (await compare(tools, { made, result, earlier }));
      await noteWritten(database, result, { made, earlier, differences });
    }
    // A result in an overlay is not an earlier result for anyone else.
    if (result.writtenTo === result.namespaceId) await rememberWork(database, result, works);
  };
}

const readIn =
  ({ reading }: Tools, { namespaceId, writtenTo }: WrittenResult) =>
  async (key: string) =>
    (await reading.read(writtenTo, key)) ??
    (writtenTo === namespaceId ? null : await reading.read(namespaceId, key));

async function readMade(tools: Tools, result: WrittenResult): Promise<Made | null> {
  const { key, writtenTo } = result;
  if (hasTask(key)) {
    const task = await tools.reading.readTask(writtenTo, key);
    return task && { kind: "task", task };
  }
  const project = projectOf(key);
  if (project !== null) return { kind: "build", project };
  const action = await readAction(key, readIn(tools, result));
  return action && { kind: "action", action };
}

/** The most specific first. */
function worksOf(
  made: Made | null,
  { scope }: WrittenResult,
  miss: { target: string; mnemonic: string } | undefined,
): string[] {
  if (made?.kind === "task")
    return [taskOf(made.task, scope), taskOf(made.task)].filter((work) => work != null);
  // Outputs say more than target and mnemonic: many actions may have the same.
  const work = made?.kind === "build" ? made.project : made && workOf(made.action);
  return [work, miss && taskOf(miss)].filter((each) => each != null);
}

interface Compared {
  made: Made;
  result: WrittenResult;
  earlier: Earlier;
}

async function compare(tools: Tools, { made, result, earlier }: Compared): Promise<Difference[] | null> {
  const { namespaceId, writtenTo, key } = result;
  const readEarlier = (name: string) => tools.reading.read(namespaceId, name);
  if (made.kind === "action") {
    const before = await readAction(earlier.key, readEarlier);
    return before && compareActions(before, made.action);
  }
  if (made.kind === "build") {
    const [before, after] = [await readEarlier(earlier.key), await readIn(tools, result)(key)];
    return before && after && compareBuilds(textOf(before), textOf(after));
  }
  const before = await tools.reading.readTask(namespaceId, earlier.key);
  if (!before) return null;
  const [earlierWriter, writer] = [
    await findWriterFacts(tools.database, namespaceId, earlier.key),
    await findWriterFacts(tools.database, writtenTo, key),
  ];
  return compareFacts(new Map([...before.facts, ...earlierWriter]), new Map([...made.task.facts, ...writer]));
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

const findMiss = ({ db }: CacheDatabase, { namespaceId, key }: WrittenResult) =>
  db
    .selectFrom("cache_misses")
    .select(["target", "mnemonic"])
    .where("namespace_id", "=", namespaceId)
    .where("key", "=", key)
    .executeTakeFirst();

/** The earlier result of the first work that has one. */
async function findEarlier(
  { db }: CacheDatabase,
  { namespaceId, key }: WrittenResult,
  works: readonly string[],
): Promise<Earlier | null> {
  if (works.length === 0) return null;
  const rows = await db
    .selectFrom("cache_work")
    .select(["work", "key", "written_at"])
    .where("namespace_id", "=", namespaceId)
    .where("work", "in", works)
    .where("key", "!=", key)
    .execute();
  return works.map((work) => rows.find((row) => row.work === work)).find(Boolean) ?? null;
}

interface Explained {
  made: Made | null;
  earlier: Earlier | null;
  differences: Difference[] | null;
}

async function noteWritten(
  { db }: CacheDatabase,
  { namespaceId, key, at }: WrittenResult,
  { made, earlier, differences }: Explained,
): Promise<void> {
  // The tool did not name it at the miss.
  const task = made?.kind === "task" && shortenNote({ ...made.task, invocation: "" });
  await db
    .updateTable("cache_misses")
    .set({
      written_at: at,
      ...(task && { target: task.target, mnemonic: task.mnemonic }),
      // Otherwise the note of the miss stays.
      ...(earlier && {
        nearest_key: earlier.key,
        nearest_at: earlier.written_at,
        differences: differences && JSON.stringify(limitDifferences(differences)),
      }),
    })
    .where("namespace_id", "=", namespaceId)
    .where("key", "=", key)
    .execute();
}

async function rememberWork(
  { db }: CacheDatabase,
  { namespaceId, key, at }: WrittenResult,
  works: readonly string[],
): Promise<void> {
  if (works.length === 0) return;
  await db
    .insertInto("cache_work")
    .values(works.map((work) => ({ namespace_id: namespaceId, work, key, written_at: at })))
    .onConflict((conflict) => conflict.columns(["namespace_id", "work"]).doUpdateSet({ key, written_at: at }))
    .execute();
}
