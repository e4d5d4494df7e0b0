/**
 * Folders and databases that earlier landings really left (tests/fixtures/landings), on both kinds of database:
 *
 * 1. However old a database is, and through whichever landings it came, it ends with exactly the tables of a fresh one.
 * 2. A server starts on it, reports ready, and all data is as before.
 * 3. Every method of the API works on it: reads are answered, and nothing fails.
 * 4. Backwards: each statement of a landing that may meet these tables (at most one form older) still works on them, and returns
 *    as many rows as it did there.
 * 5. Telemetry's file, of any age, has the same events after its own migrations.
 * 6. A migration that was edited after it had landed refuses the start, with its name; so do tables that lack something.
 */
import { join } from "node:path";
import { CompiledQuery, sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readMethodFacts } from "#api/testing/facts.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { openSqlite } from "#platform/database/open-sqlite.ts";
import { openTestDatabase, testDatabaseKinds } from "#platform/testing/database.ts";
import { type Landing, readLandings } from "../../../tests/fixtures/landings/landing-file.ts";
import { describeTables, openLanding } from "../../../tests/fixtures/landings/open-landing.ts";
import { type Ask, OWNER_TOKEN, readServer } from "../../../tests/fixtures/landings/walk-landing.ts";
import { telemetryMigrations } from "#telemetry/index.ts";
import { parseEnvironment } from "../environment.ts";
import { openRecordRooms } from "../testing/records.ts";
import { bodyOf, callAsJson, missingIds } from "../testing/calls.ts";
import { recordMigrations } from "./record-migrations.ts";
import { createTestLog } from "../testing/log.ts";

const MINUTE_MS = 60_000;
const ORIGIN = "http://localhost:3000";
const FORM = Math.max(...recordMigrations.map(({ release }) => release));
/** Defaults that SQLite cannot drop from columns added later; every statement names these columns. */
const DEFAULTS_OF_SQLITE: Readonly<Record<string, string>> = {
  "audit_events.words text 1 '' 0": "audit_events.words text 1 - 0",
  "projects.revision bigint 1 1 0": "projects.revision bigint 1 - 0",
};
/** Counted or generated anew for each answer. */
const VOLATILE = new Set(["last_used_at", "last_used_from", "last_seen_at", "next_page_token", "expires_at"]);

/** Needs a builder of the machine, which may not have one. */
const OF_THE_MACHINE = "BuilderService/GetEndpoint";

const withRecords = (kind: DatabaseKind) => readLandings(kind).filter(({ form }) => form > 0);

/** Removes values that may differ, so that the rest must be equal. */
function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !VOLATILE.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name, steady(inner)]));
}

// With PostgreSQL, the server also uses the landing's time.
vi.mock("../../platform/database/shared-clock.ts", async (load) => {
  const { openSharedClock } = await load<typeof import("#platform/database/shared-clock.ts")>();
  const open: typeof openSharedClock = ({ database, ...options }) =>
    openSharedClock({ ...options, database: { ...database, kind: "sqlite" } });
  return { openSharedClock: open };
});
afterEach(() => void vi.useRealTimers());

/** A server's records and rooms, a minute after the landing's end. */
async function startOn(landing: Landing) {
  vi.useFakeTimers({ toFake: ["Date"], now: landing.madeAt + MINUTE_MS });
  const place = await openLanding(landing);
  const { log, lines } = createTestLog();
  const env = {
    ...place.env,
    SITE_ORIGIN: ORIGIN,
    MILLRACE_OWNER_TOKEN: OWNER_TOKEN,
    RATE_LIMIT_FACTOR: "0",
  };
  const opened = await openRecordRooms(parseEnvironment({ ...env, MILLRACE_BUILDER_PORT: "0" }), { log });
  const { api } = opened;
  const ask: Ask = async (path, asked) => {
    const answer = await api.request(`${ORIGIN}${path}`, asked);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const isReady = async () => (await Promise.all(opened.rooms.map((room) => room.isReady()))).every(Boolean);
  const close = async () => {
    await opened.close();
    await place.remove();
  };
  return { api, ask, lines, isReady, place, close };
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  const fresh = async () => {
    const place = await openTestDatabase(kind);
    const database = await openDatabase<never>({ at: place.at, migrations: recordMigrations });
    return { ...database, remove: place.remove };
  };

  test.each(withRecords(kind))("1. tables after $name", async (landing) => {
    const { at, remove } = await openLanding(landing);
    const [mine, other] = [await openDatabase<never>({ at, migrations: recordMigrations }), await fresh()];
    const lines = await describeTables(mine.db, kind);
    const wanted = await describeTables(other.db, kind);
    expect(lines.map((line) => DEFAULTS_OF_SQLITE[line] ?? line).toSorted()).toEqual(wanted);
    const hashes = sql<{ name: string; hash: string }>`select name, hash from migrations order by name`;
    expect((await hashes.execute(mine.db)).rows).toEqual((await hashes.execute(other.db)).rows);
    await Promise.all([mine.close(), other.close()]);
    await Promise.all([remove(), other.remove()]);
  });

  test.each(withRecords(kind))("2. and 3. a server on $name", { timeout: 120_000 }, async (landing) => {
    const { api, ask, lines, isReady, close } = await startOn(landing);
    expect(await isReady()).toBe(true);
    const answers = await readServer(ask, landing.objects);
    for (const [question, before] of Object.entries(landing.answers))
      expect(steady(answers[question]), question).toMatchObject(steady(before) as object);
    expect(Object.keys(landing.answers).length).toBeGreaterThan(7);

    const headers = { authorization: `Bearer ${OWNER_TOKEN}` };
    const objects = {
      ...missingIds({ passkey_id: "pky_0123456789", sign_in_id: "sgn_0123456789" }),
      build_id: "bld_0123456789",
      "ended build": "bld_0123456789",
      reference: "none",
      ...landing.objects,
    };
    const isRead = (name: string) => /\/(?:Get|List|WhoAmI)/.test(name);
    const methods = readMethodFacts().filter(
      ({ name, isMissing, isPublic }) => !isMissing && !isPublic && name !== OF_THE_MACHINE,
    );
    const takesAway = (name: string) =>
      Number(!isRead(name)) + Number(/\/(?:Delete|Remove|Revoke|End)/.test(name));
    for (const method of methods.toSorted((a, b) => takesAway(a.name) - takesAway(b.name))) {
      const answer = await callAsJson(api, ORIGIN, { method, body: bodyOf(method, objects), headers });
      const what = `${method.name}: ${answer.status} ${answer.message}`;
      expect(answer.status, what).toBeLessThan(500);
      const mayMiss = landing.objects["build_id"] === undefined ? ["ok", "not_found"] : ["ok"];
      if (isRead(method.name)) expect(mayMiss, what).toContain(answer.code);
    }
    expect(lines.filter((line) => /no such|does not exist|do not match/.test(line))).toEqual([]);
    await close();
  });

  const older = withRecords(kind).filter(({ form, statements }) => form >= FORM - 1 && statements.length > 0);
  test("4. there is someone to go back to", () => {
    expect(older.length).toBeGreaterThan(0);
  });
  test.each(older)("4. statements of $name", async ({ statements }) => {
    const { db, close, remove } = await fresh();
    const texts = statements.map(({ sql: text }) => text).join("\n");
    for (const table of ["projects", "tokens", "audit_events", "cache_entries"])
      expect(texts).toContain(`insert into "${table}"`);
    for (const { sql: text, values, rows } of statements) {
      const answer = await db
        .executeQuery(CompiledQuery.raw(text, values.map(valueOf)))
        .catch((error: unknown) => expect.fail(`${text} ${JSON.stringify(values)}: ${String(error)}`));
      if (rows !== null) expect(answer.rows.length, text).toBe(rows);
    }
    await close();
    await remove();
  });

  test("6. edited and damaged", async () => {
    const landing = withRecords(kind).at(-1)!;
    const { at, env, remove } = await openLanding(landing);
    await (await openDatabase({ at, migrations: recordMigrations })).close();
    const edited = recordMigrations.map((migration) =>
      migration.name === "cache-2" ? { ...migration, up: () => Promise.resolve() } : migration,
    );
    await expect(openDatabase({ at, migrations: edited })).rejects.toThrow(
      /something else in this release: cache-2 \(/,
    );
    const { db, close } = await openDatabase<never>({ at, migrations: recordMigrations });
    await sql`drop table exchanges`.execute(db);
    await close();
    const start = openRecordRooms(parseEnvironment({ ...env, SITE_ORIGIN: ORIGIN }), createTestLog());
    await expect(start).rejects.toThrow(
      /do not match this release: the table exchanges is missing\. Nothing was changed\. Restore/,
    );
    await remove();
  });

  test("6. while it runs", async () => {
    const { isReady, lines, place, close } = await startOn(withRecords(kind).at(-1)!);
    const change = async (statement: string) => {
      const { at } = place;
      const { db, close: end } = await openDatabase<never>({
        at,
        migrations: [{ name: "by-hand", release: FORM, up: async () => {} }],
      });
      await sql.raw(statement).execute(db);
      await end();
    };
    await change("alter table exchanges rename to exchanges_lost");
    expect([await isReady(), await isReady()]).toEqual([false, false]);
    expect(lines.filter((line) => line.includes("the table exchanges is missing"))).toHaveLength(1);
    await change("alter table exchanges_lost rename to exchanges");
    expect(await isReady()).toBe(true);
    await close();
  });
});

test.each(readLandings("sqlite"))("5. events of $name", async (landing) => {
  const { env, remove } = await openLanding(landing);
  const path = join(env.DATA_DIR, "telemetry.sqlite");
  const db = openSqlite({ path, what: "telemetry", migrations: telemetryMigrations, pragmas: "" });
  const names = db.prepare("SELECT name FROM events WHERE name IN ('cta', 'copy')").all();
  expect(names.map((row) => row["name"]).toSorted()).toEqual(["copy", "cta"]);
  db.close();
  await remove();
});

const valueOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "bytes" in value
    ? Buffer.from(String(value.bytes), "base64")
    : value;
