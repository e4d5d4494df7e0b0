/**
 * 1. 10,000 builds of five organizations: each list, in every order and with every filter of a column, and the counts next to it,
 *    reads an index and not the table; pages come without gaps.
 * 2. A log of 200,000 lines: it has few rows, a reader gets it from any line on by the key, and holds a small part of it.
 * 3. A silent stream sends a heartbeat every 15 seconds, and ends with its reader.
 * 4. Readers that stop reading a log of long lines hold less than a megabyte each.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Kysely, sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { LogLine } from "../contract/builds.ts";
import { HEARTBEAT_MS, MAX_LINE_LENGTH, MAX_PENDING_LINES } from "../contract/limits.ts";
import type { BuildTables } from "../tables/schema.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { createChanges } from "../contract/changes.ts";
import { followLog } from "./follow-build.ts";
import { writeProgress } from "./write-build.ts";

const BUILDS = 10_000;
const OTHERS = 5;
const LINES = 200_000;
const MEBIBYTE = 1024 * 1024;
/** Twenty rows of 2,000 lines are read at a time. */
const MAX_HELD_MB = 64;
const SLOW_READERS = 30;
const LONG_MS = 180_000;
/** Only by an index of its own, from its first column on. */
const BY_SCOPE =
  /builds USING (?:COVERING )?INDEX builds_\w+ \((?:organization|project)_id=\?|builds_(?:by|open)\w*(?: on builds)?\b[^\n]*\n\s+Index Cond: \(+(?:organization|project)_id = /;
type Place = Awaited<ReturnType<typeof openTestBuilds>>;
type Table = keyof BuildTables & string;
const input = { save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
const listed = { projectId: "", states: [], query: "", branch: "", createdBy: "", platform: "", sort: "" };
afterEach(() => void vi.useRealTimers());

async function addBuild({ builds, caller, addProject }: Place, name = "web") {
  const { id: projectId } = await addProject(name);
  return { projectId, buildId: (await builds.create(caller, { ...input, projectId })).id };
}

/** One build many times, with other ids and times. */
async function multiply({ database }: Place, buildId: string): Promise<void> {
  const { db } = database;
  const row = await db.selectFrom("builds").selectAll().where("id", "=", buildId).executeTakeFirstOrThrow();
  const states = ["succeeded", "failed", "canceled"] as const;
  for (let at = 0; at < BUILDS; at += 250)
    await db
      .insertInto("builds")
      .values(
        Array.from({ length: 250 }, (_, more) => ({
          ...row,
          // Every fifth build is the caller's.
          organization_id: more % OTHERS === 0 ? row.organization_id : `org_${more % OTHERS}`,
          project_id: more % OTHERS === 0 ? row.project_id : `prj_${more % OTHERS}`,
          id: `bld_${String(at + more).padStart(10, "0")}`,
          state: states[(at + more) % 3]!,
          // Several builds at the same time.
          created_at: row.created_at + Math.floor((at + more) / 7),
          duration_ms: (at * 7 + more) % 1000,
        })),
      )
      .execute();
  // PostgreSQL does this on its own after a while; SQLite never does.
  if (database.kind === "postgres") await sql`vacuum analyze builds`.execute(db);
}

/** The plan of each statement that reads the table for this id; the server's background work has no id. */
async function planOf(
  { database }: Place,
  { table, id }: { table: Table; id: string },
  ask: () => Promise<unknown>,
): Promise<string[]> {
  const asked: { sql: string; parameters: readonly unknown[] }[] = [];
  const { db } = database;
  const executor = db.getExecutor();
  const spy = vi.spyOn(executor, "executeQuery").mockImplementation(async function (
    this: unknown,
    query,
    ...rest
  ) {
    const isAbout = query.sql.startsWith("select") && query.sql.includes(`"${table}"`);
    if (isAbout && query.parameters.includes(id)) asked.push(query);
    return Object.getPrototypeOf(executor).executeQuery.call(executor, query, ...rest);
  });
  await ask();
  spy.mockRestore();
  const plans: string[] = [];
  for (const query of asked) plans.push(await explain(db, database.kind, query));
  return plans;
}

/**
 * In PostgreSQL, only plans with indexes: whether it prefers to read a small table whole depends on what else uses that server,
 * which may block a vacuum.
 */
function explain(
  db: Kysely<never> | Place["database"]["db"],
  kind: string,
  { sql: text, parameters }: { sql: string; parameters: readonly unknown[] },
): Promise<string> {
  const prefix = kind === "sqlite" ? "explain query plan " : "explain ";
  return (db as Kysely<unknown>).transaction().execute(async (transaction) => {
    if (kind === "postgres") await sql`set local enable_seqscan = off`.execute(transaction);
    const { rows } = await transaction.executeQuery<Record<string, unknown>>({
      ...sql`x`.compile(transaction),
      sql: prefix + text,
      parameters,
    });
    return rows.map((row) => String(row["detail"] ?? row["QUERY PLAN"])).join("\n");
  });
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. many builds", { timeout: LONG_MS }, async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller } = place;
    const { projectId, buildId } = await addBuild(place);
    await multiply(place, buildId);
    const own = { table: "builds", id: caller.actor.organizationId ?? "" } as const;
    for (const more of [
      {},
      { projectId },
      { states: ["failed"] },
      { projectId, states: ["queued", "running"] },
      { states: ["queued", "running"] },
      { states: ["running"] },
      { sort: "oldest" },
    ]) {
      const plans = await planOf(place, own, () => builds.list(caller, { ...listed, ...more }));
      // The page, and the counts next to it.
      expect(plans).toHaveLength(2);
      for (const plan of plans) {
        // No statement reads the whole table: SQLite says SCAN, PostgreSQL Seq Scan. Nor a whole index.
        expect(`${JSON.stringify(more)} ${plan}`).not.toMatch(/SCAN builds(?! USING)|Seq Scan on builds\b/);
        expect(plan).toMatch(BY_SCOPE);
      }
      // There are few running builds, which every viewer polls every three seconds.
      if (kind === "sqlite" && more.states?.includes("running"))
        expect(plans.join()).toMatch(/builds_open|organization_id=\? AND state=\?/);
    }
    const plans = await planOf(place, own, () => builds.findFirst(own.id));
    expect(plans.join()).toMatch(
      kind === "sqlite" ? /organization_state .organization_id=\? AND state=\?/ : /builds_by_organization/,
    );
    const ids: string[] = [];
    for (let pageToken = ""; ;) {
      const page = await builds.list(caller, { ...listed, projectId, pageSize: 100, pageToken });
      ids.push(...page.builds.map(({ id }) => id));
      expect(Object.values(page.counts).reduce((sum, count) => sum + count)).toBe(BUILDS / OTHERS + 1);
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    expect([ids.length, new Set(ids).size]).toEqual([BUILDS / OTHERS + 1, BUILDS / OTHERS + 1]);
  });

  test("2. a long log", { timeout: LONG_MS }, async () => {
    await using place = await openTestBuilds(kind);
    const { database } = place;
    const { buildId } = await addBuild(place);
    const parts = { database, changes: createChanges(), clock: () => place.time.now };
    for (let from = 0; from < LINES; from += MAX_PENDING_LINES) {
      const lines = Array.from({ length: MAX_PENDING_LINES }, (_, at): LogLine => ({
        sequence: from + at + 1,
        step: "#5",
        stepId: "sha256:0123456789",
        stream: "stdout",
        text: `${from + at + 1} of a log that is long`,
        time: 1,
      }));
      const totals = {
        stepsTotal: 1,
        stepsCached: 0,
        stepsDone: 0,
        savedMs: 0,
        logLines: from + MAX_PENDING_LINES,
      };
      await writeProgress(parts, buildId, { steps: [], totals, lines, warnings: [] });
    }
    const { count } = await database.db
      .selectFrom("build_log")
      .select((row) => row.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBeLessThanOrEqual(LINES / 1000);
    await place.builds.cancel(place.caller, buildId);

    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const heldMb = () => (collect(), process.memoryUsage().heapUsed / MEBIBYTE);
    const [atRest, held]: [number, number[]] = [heldMb(), []];
    let last = 0;
    const { signal } = new AbortController();
    for await (const { sequence } of followLog(parts, { buildId, after: 0 }, signal)) {
      if (sequence !== last + 1) throw new Error(`line ${sequence} comes after ${last}`);
      last = sequence;
      if (sequence % 50_000 === 0) held.push(heldMb());
    }
    expect(last).toBe(LINES);
    expect(Math.max(...held) - atRest).toBeLessThan(MAX_HELD_MB);
    for (const after of [1, 1999, 2000, LINES / 2, LINES - 1]) {
      const read = followLog(parts, { buildId, after }, signal);
      const { value } = await read.next();
      expect([value?.sequence, value?.text]).toEqual([after + 1, `${after + 1} of a log that is long`]);
      await read.return(undefined);
    }
    const plans = await planOf(place, { table: "build_log", id: buildId }, async () => {
      for await (const { sequence } of followLog(parts, { buildId, after: LINES - 10 }, signal))
        last = sequence;
    });
    // Both ends of the range are in the key.
    expect(plans.join()).toMatch(/build_id=\? AND first_line>\?|Index Cond: .*first_line/);
  });

  test("3. silence", async () => {
    await using place = await openTestBuilds(kind);
    const { buildId } = await addBuild(place);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const reader = new AbortController();
    const said: LogLine[] = [];
    const reading = (async () => {
      for await (const line of place.builds.logs(place.caller, { buildId, after: 0 }, reader.signal))
        said.push(line);
    })();
    while (said.length < 2) {
      place.time.now += HEARTBEAT_MS;
      await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    }
    expect(said[0]).toMatchObject({ sequence: 0, stream: "status", text: "waiting for a builder" });
    reader.abort();
    await reading;
  });

  test("4. slow readers", async () => {
    await using place = await openTestBuilds(kind);
    const { buildId } = await addBuild(place);
    const text = "x".repeat(MAX_LINE_LENGTH - 1);
    const lines = Array.from({ length: 400 }, (_, at): LogLine => ({
      sequence: at + 1,
      step: "#1",
      stepId: "sha256:a",
      stream: "stdout",
      text: `${at % 10}${text}`,
      time: 0,
    }));
    const totals = { stepsTotal: 1, stepsCached: 0, stepsDone: 0, savedMs: 0, logLines: lines.length };
    await writeProgress({ database: place.database, changes: createChanges() }, buildId, {
      steps: [],
      totals,
      lines,
      warnings: [],
    });
    await place.builds.cancel(place.caller, buildId);
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const heldMb = () => (collect(), process.memoryUsage().heapUsed / MEBIBYTE);
    const atRest = heldMb();
    const { signal } = new AbortController();
    const readers = Array.from({ length: SLOW_READERS }, () =>
      place.builds.logs(place.caller, { buildId, after: 0 }, signal)[Symbol.asyncIterator](),
    );
    for (const reader of readers) expect((await reader.next()).value?.sequence).toBe(1);
    expect(heldMb() - atRest).toBeLessThan(SLOW_READERS);
    for (const reader of readers) await reader.return?.(undefined);
  });
});
