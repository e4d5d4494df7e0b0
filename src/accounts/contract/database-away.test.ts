/**
 * 1. A database that does not listen, is locked, or ends a connection is `unavailable`, with its cause. So is one that has
 *    undone a transaction because of others, however often it was tried; this has its own message, and is counted.
 * 2. Anything else passes unchanged: an error in a statement, a row that already exists, a refusal.
 * 3. A full disk is reported as such, with its place: this server or PostgreSQL.
 */
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { conflictsOf, inTransaction, openDatabase } from "#platform/database/database.ts";
import { openTestDatabase, testDatabaseKinds } from "#platform/testing/database.ts";
import { DiskFullError } from "#platform/files/disk-space.ts";
import { askDatabase } from "./database-away.ts";
import { Refused } from "./refused.ts";

const unavailable = { code: "unavailable", cause: expect.any(Error) };

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. and 2.", async () => {
    const place = await openTestDatabase(kind);
    const { db, close } = await openDatabase<{ a: { b: number } }>({ at: place.at, migrations: [] });
    const run = (text: string) => askDatabase(() => sql.raw(text).execute(db));
    await run("create table a (b integer primary key)");
    await run("insert into a values (1)");
    for (const wrong of ["select c from a", "insert into a values (1)", "nonsense"]) {
      const refused = await run(wrong).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Error);
      expect(refused).not.toBeInstanceOf(Refused);
    }
    if (kind === "postgres") {
      // PostgreSQL's error for two transactions that change the same rows.
      const undo = sql`do $$ begin raise exception 'undone' using errcode = '40001'; end $$`;
      const undone = {
        ...unavailable,
        message: expect.stringMatching(/^too many other requests are changing the same records/),
      };
      await expect(askDatabase(() => undo.execute(db))).rejects.toMatchObject(undone);
      let attempts = 0;
      const trying = askDatabase(() =>
        inTransaction({ db, kind }, (transaction) => ((attempts += 1), undo.execute(transaction))),
      );
      await expect(trying).rejects.toMatchObject(undone);
      expect(conflictsOf(db)).toEqual({ retried: attempts - 1, refused: 1 });
      const killing = askDatabase(() => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db));
      await expect(killing).rejects.toMatchObject({
        ...unavailable,
        message: expect.stringMatching(/does not respond/),
      });
    }
    await close();
    await place.remove();
  });
});

test("1. locked", async () => {
  const place = await openTestDatabase("sqlite");
  const file = "file" in place.at ? (place.at.file ?? "") : "";
  const [one, two] = [new DatabaseSync(file), new DatabaseSync(file, { timeout: 0 })];
  one.exec("begin exclusive");
  await expect(askDatabase(async () => two.exec("create table a (b)"))).rejects.toMatchObject(unavailable);
  for (const each of [one, two]) each.close();
  await place.remove();
});

test("1. no one listens", async () => {
  for (const url of [
    "postgres://127.0.0.1:1/none",
    "postgres://localhost:1/none",
    "postgres://no.invalid/none",
  ]) {
    const opening = askDatabase(() => openDatabase({ at: { url }, migrations: [] }));
    await expect(opening).rejects.toMatchObject(unavailable);
  }
});

test("2. a refusal", async () => {
  const refused = new Refused("not_found", "project prj_x was not found");
  await expect(askDatabase(() => Promise.reject(refused))).rejects.toBe(refused);
});

test("3. a full disk", async () => {
  const withFields = (fields: object) => Object.assign(new Error("disk or quota"), fields);
  const cases: [Error, RegExp][] = [
    [
      withFields({ errcode: 13 }),
      /^the disk of this server is full.* free space\. Revoking, signing in and out/,
    ],
    [withFields({ errcode: 4874 }), /^the disk of this server is full/],
    [withFields({ code: "ENOSPC", syscall: "write" }), /^the disk of this server is full/],
    [new Error("wrapped", { cause: withFields({ code: "EDQUOT" }) }), /^the disk of this server is full/],
    [withFields({ code: "53100" }), /^the disk of this server's PostgreSQL is full/],
    [new DiskFullError("the disk is almost full"), /^the disk is almost full$/],
  ];
  for (const [error, message] of cases)
    await expect(askDatabase(() => Promise.reject(error))).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringMatching(message),
    });
});
