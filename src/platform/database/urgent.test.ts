/**
 * On a really full disk (skipped where none can be mounted), with SQLite's journal as previous changes left it:
 * 1. Urgent writes succeed repeatedly, in a transaction and as a single statement, and all others are refused; released space
 *    that was not needed is taken back immediately.
 * 2. While a reader prevents reuse of the journal, each urgent write uses up part of the reserve; when it is used up, urgent
 *    writes are refused like all others, and work again once there is room.
 * 3. After its process was killed, a database is opened, read and written urgently, with the space that a start releases.
 * 4. The reserve is real: it has its full size, and grows a few megabytes at a time.
 * 5. A write that fails for a reason other than the disk releases nothing.
 */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openReserve, type Reserve } from "../files/reserve.ts";
import { isDiskFull } from "./disk-full.ts";
import { type Database, inTransaction, openDatabase } from "./database.ts";
import type { Migration } from "./migration.ts";
import { runUrgently } from "./urgent.ts";

const DISK = "24m";
const MB = 1024 ** 2;
const ROW_BYTES = 3_000;
const MOST_WRITES = 5_000;

interface Tables {
  things: { id: number; text: string };
}

const migrations: readonly Migration[] = [
  {
    name: "things-1",
    release: 1,
    async up(db) {
      await db.schema
        .createTable("things")
        .addColumn("id", "integer", (column) => column.primaryKey())
        .addColumn("text", "text", (column) => column.notNull())
        .execute();
    },
  },
];

const disk = mkdtempSync(join(tmpdir(), "urgent-"));
const canMount =
  process.platform === "linux" &&
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk]).status === 0;
if (canMount) spawnSync("umount", [disk]);

let reserve: Reserve;
let database: Database<Tables>;
let last = 0;

const freeBytes = () => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};

/** Fills the disk to the last byte. */
function fill(): void {
  mkdirSync(join(disk, "filler"), { recursive: true });
  for (let size = 64 * 1024; size >= 1;)
    try {
      writeFileSync(join(disk, "filler", String(Math.random())), Buffer.alloc(size));
    } catch {
      size = Math.floor(size / 2);
    }
}

const open = () => openDatabase<Tables>({ at: { file: join(disk, "a.db") }, migrations, reserve });

const row = () => ({ id: (last += 1), text: randomBytes(ROW_BYTES / 2).toString("hex") });

/** One row, in a transaction. */
const add = () =>
  inTransaction(database, (transaction) => transaction.insertInto("things").values(row()).execute());

const change = (id: number) =>
  database.db.updateTable("things").set({ text: "changed" }).where("id", "=", id).execute();

async function addUntilFull(): Promise<void> {
  for (let writes = 0; writes < MOST_WRITES; writes += 1)
    try {
      await add();
    } catch (error) {
      expect(isDiskFull(error)).toBe(true);
      return;
    }
  throw new Error("The disk was never full.");
}

beforeEach(async () => {
  if (!canMount) return;
  last = 0;
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk]);
  reserve = openReserve(join(disk, "reserve"), 6 * MB);
  while (!reserve.takeBack());
  database = await open();
  await add();
});

afterEach(async () => {
  if (!canMount) return;
  await database.close();
  reserve.close();
  spawnSync("umount", [disk]);
});

describe.skipIf(!canMount)("on a full disk", () => {
  test("1. urgent and not", async () => {
    fill();
    await addUntilFull();
    const held = reserve.bytes;
    expect(held).toBe(6 * MB);
    // More than the reserve could hold if the journal were not reused.
    for (let writes = 0; writes < 1_500; writes += 1) {
      await runUrgently<Promise<unknown>>(writes % 20 ? () => change(1) : add);
      if (writes % 100 === 0) await expect(add()).rejects.toSatisfy(isDiskFull);
    }
    expect(reserve.bytes).toBeGreaterThan(held / 2);
    expect(freeBytes()).toBeLessThan(MB / 4);
    await runUrgently(() => database.db.deleteFrom("things").where("text", "!=", "changed").execute());
    expect(await database.db.selectFrom("things").select("text").execute()).toEqual([{ text: "changed" }]);
  });

  test("2. a pinned journal, and the end of the reserve", async () => {
    const reader = new DatabaseSync(join(disk, "a.db"), { readOnly: true });
    reader.exec("begin");
    reader.prepare("select count(*) from things").get();
    fill();
    await addUntilFull();
    let writes = 0;
    const writing = async () => {
      for (; writes < MOST_WRITES; writes += 1) await runUrgently(add);
    };
    await expect(writing()).rejects.toSatisfy(isDiskFull);
    expect(writes).toBeGreaterThan(300);
    expect(reserve.bytes).toBeLessThan(MB / 2);
    reader.close();
    rmSync(join(disk, "filler"), { recursive: true });
    await add();
    while (!reserve.takeBack());
    expect(reserve.bytes).toBe(6 * MB);
  });

  test("3. a start", async () => {
    fill();
    await addUntilFull();
    const rows = await database.db.selectFrom("things").select("id").execute();
    // As left by a kill: with its journal.
    const left = mkdtempSync(join(tmpdir(), "urgent-left-"));
    cpSync(join(disk, "a.db"), join(left, "a.db"));
    cpSync(join(disk, "a.db-wal"), join(left, "a.db-wal"));
    await database.close();
    for (const name of ["a.db", "a.db-wal", "a.db-shm"]) rmSync(join(disk, name), { force: true });
    cpSync(left, disk, { recursive: true });
    rmSync(left, { recursive: true });
    fill();
    for (let part = 0; part < 3; part += 1) reserve.release();
    database = await open();
    expect(await database.db.selectFrom("things").select("id").execute()).toEqual(rows);
    reserve.takeBack();
    fill();
    await addUntilFull();
    await runUrgently(add);
  });

  test("4. the reserve", () => {
    expect([reserve.bytes, reserve.isReal]).toEqual([6 * MB, true]);
    const before = freeBytes();
    reserve.release();
    reserve.release();
    expect(freeBytes() - before).toBe(6 * MB - reserve.bytes);
    expect(reserve.bytes).toBeGreaterThan(0);
    while (reserve.release());
    expect(reserve.bytes).toBe(0);
    expect(reserve.takeBack()).toBe(false);
    expect(reserve.bytes).toBe(4 * MB);
    expect(reserve.takeBack()).toBe(true);
    fill();
    const again = openReserve(join(disk, "reserve"), 7 * MB);
    expect([again.takeBack(), again.bytes]).toEqual([false, 6 * MB]);
    again.close();
  });

  test("5. other errors", async () => {
    await expect(
      runUrgently(() => database.db.insertInto("things").values({ id: last, text: "" }).execute()),
    ).rejects.toThrow(/UNIQUE/);
    await expect(
      runUrgently(() => inTransaction(database, () => Promise.reject(new Error("mine")))),
    ).rejects.toThrow("mine");
    expect(reserve.bytes).toBe(6 * MB);
  });
});
