/**
 * 1. Without PostgreSQL the records are in `millrace.db`; a damaged file and an unusable folder are reported with the remedy.
 * 2. A start waits for an unavailable PostgreSQL and says so once; then the message names the host.
 * 3. A wrong password, database or user is reported immediately, without the password.
 * 4. A database of a newer release is refused.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestDatabase, testDatabaseKinds } from "#platform/testing/database.ts";
import type { Migration } from "#platform/database/migrate.ts";
import { describeDatabase, openRecords } from "./open-records.ts";
import { createTestLog } from "../testing/log.ts";

const serverUrl = process.env["MILLRACE_TEST_DATABASE_URL"] ?? "";
const newFolder = () => mkdtempSync(join(tmpdir(), "records-"));
const migrationOf = (release: number): Migration => ({
  name: `r${release}`,
  release,
  up: async (db) => void (await db.schema.createTable(`r${release}`).addColumn("id", "text").execute()),
});

const open = (
  env: { DATA_DIR?: string; MILLRACE_DATABASE_URL?: string },
  waitMs = 0,
  ...releases: number[]
) => {
  const { log, lines } = createTestLog();
  const opened = openRecords(
    { DATA_DIR: newFolder(), MILLRACE_DATABASE_URL: undefined, ...env },
    { migrations: releases.map(migrationOf), log, waitMs },
  );
  return { opened, lines };
};

test("1. a file", async () => {
  const DATA_DIR = newFolder();
  const { kind, close } = await open({ DATA_DIR }).opened;
  expect([kind, describeDatabase({ DATA_DIR, MILLRACE_DATABASE_URL: undefined })]).toEqual([
    "sqlite",
    join(DATA_DIR, "millrace.db"),
  ]);
  await close();
  writeFileSync(join(DATA_DIR, "millrace.db"), "not a database ".repeat(500));
  await expect(open({ DATA_DIR }).opened).rejects.toThrow(/millrace\.db is damaged: restore a backup/);
  await expect(open({ DATA_DIR: join(DATA_DIR, "none") }).opened).rejects.toThrow(
    /^The records cannot be stored in .*none.millrace\.db \(.+\): set DATA_DIR/,
  );
});

test("2. no one is there", async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const MILLRACE_DATABASE_URL = `postgres://me:s3cret@127.0.0.1:${port}/millrace`;
  const { opened, lines } = open({ MILLRACE_DATABASE_URL }, 1200);
  await expect(opened).rejects.toThrow(
    new RegExp(
      `^PostgreSQL at 127.0.0.1:${port}/millrace cannot be used \\(.*ECONNREFUSED.*\\): start it, or correct the host and port`,
    ),
  );
  await expect(opened).rejects.not.toThrow("s3cret");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^Waiting for PostgreSQL at /);
});

test.skipIf(serverUrl === "")("3. wrong settings", async () => {
  const change = (edit: (url: URL) => void) => {
    const url = new URL(serverUrl);
    edit(url);
    return url.href;
  };
  for (const [url, message] of [
    [change((one) => (one.password = "s3cret")), "correct the user and password in MILLRACE_DATABASE_URL"],
    [change((one) => (one.username = "nobody")), "correct the user and password in MILLRACE_DATABASE_URL"],
    [change((one) => (one.pathname = "/none")), "create the database, or correct its name"],
  ] as const) {
    const { opened, lines } = open({ MILLRACE_DATABASE_URL: url }, 60_000);
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.not.toThrow("s3cret");
    expect(lines).toEqual([]);
  }
});

test.each(testDatabaseKinds)("4. a newer release in %s", async (kind) => {
  const place = await openTestDatabase(kind);
  const DATA_DIR = newFolder();
  const env = "url" in place.at ? { DATA_DIR, MILLRACE_DATABASE_URL: place.at.url } : { DATA_DIR };
  await (await open(env, 0, 1, 2, 3).opened).close();
  await expect(open(env, 0, 1).opened).rejects.toThrow(/was changed by a server that is 2 releases newer/);
  await place.remove();
});
