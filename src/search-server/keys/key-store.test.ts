/**
 * 1. Keys and their values survive restarts; the file is private and contains no value. A deleted key stays
 *    deleted, however changes overlap.
 * 2. Another master key changes all values.
 * 3. An unreadable file is put aside, reported, and never overwritten.
 * 4. The number of keys is bounded; if the disk fails nothing changes, and the answer says so.
 */
import { createHmac } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openKeyStore } from "./key-store.ts";
import { MAX_API_KEYS } from "../protocol/limits.ts";
import { makeKey, MASTER_KEY } from "../testing/keys.ts";

const newPath = () => join(mkdtempSync(join(tmpdir(), "keys-")), "search", "keys.json");
const openAt = (path: string, masterKey = MASTER_KEY) => openKeyStore({ masterKey, path });

test("1. restarts", async () => {
  const path = newPath();
  const first = await openAt(path);
  expect(first.list().map(({ record }) => record.name)).toEqual([
    "Default Search API Key",
    "Default Admin API Key",
  ]);
  const made = await Promise.all(
    ["a", "b", "c", "d"].map((name) => makeKey(first, { name, indexes: [`${name}*`] })),
  );
  await Promise.all([
    first.remove(made[0]!.record.uid),
    first.rename(made[1]!.record.uid, { name: "renamed" }),
    first.remove(made[2]!.record.uid),
  ]);
  const second = await openAt(path);
  const shown = (store: typeof first) => store.list().map(({ record, value }) => ({ ...record, value }));
  expect(shown(second)).toEqual(shown(first));
  expect(second.list().map(({ record }) => record.name)).toContain("renamed");
  expect(second.list()).toHaveLength(4);
  const text = readFileSync(path, "utf8");
  for (const { record, value } of second.list()) {
    expect(value).toBe(createHmac("sha256", MASTER_KEY).update(record.uid).digest("hex"));
    expect(second.findByValue(value)?.record.uid).toBe(record.uid);
    expect(text).not.toContain(value);
  }
  expect(text).not.toContain(MASTER_KEY);
  expect(second.findByValue(made[0]!.value)).toBeUndefined();
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("2. another master key", async () => {
  const path = newPath();
  const first = await openAt(path);
  const second = await openAt(path, "another-master-key");
  for (const { record, value } of first.list()) {
    expect(second.findByValue(value)).toBeUndefined();
    expect(second.findByUid(record.uid)?.value).not.toBe(value);
  }
});

test.each([
  ["cut short", (text: string) => text.slice(0, -20)],
  ["of a later version", (text: string) => text.replace('"version": 1', '"version": 2')],
  ["with a right that there is not", (text: string) => text.replace('"search"', '"everything"')],
])("3. a file %s", async (_name, damage) => {
  const path = newPath();
  const before = await openAt(path);
  const damaged = damage(readFileSync(path, "utf8"));
  writeFileSync(path, damaged);
  const problems: string[] = [];
  const after = await openKeyStore({
    masterKey: MASTER_KEY,
    path,
    clock: () => 7,
    onProblem: (message) => problems.push(message),
  });
  expect(problems).toEqual([expect.stringContaining(`${path}.7.damaged`)]);
  expect(readFileSync(`${path}.7.damaged`, "utf8")).toBe(damaged);
  expect(after.findByValue(before.list()[1]!.value)).toBeUndefined();
  expect((await openAt(path)).list()).toHaveLength(2);
});

test("4. bounds", async () => {
  const path = newPath();
  const store = await openAt(path);
  const text = readFileSync(path, "utf8");
  const { version, keys } = JSON.parse(text) as { version: number; keys: { uid: string }[] };
  const uidOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
  const many = Array.from({ length: MAX_API_KEYS - 1 }, (_, at) => ({ ...keys[0], uid: uidOf(at) }));
  writeFileSync(path, JSON.stringify({ version, keys: many }));
  const full = await openAt(path);
  await makeKey(full, {});
  await expect(makeKey(full, {})).rejects.toThrow("1000 API keys");
  await full.remove(uidOf(5));
  await makeKey(full, {});
  // A folder is in the file's place.
  rmSync(path);
  writeFileSync(join(path, "..", "x"), "");
  mkdirSync(join(path, "inside"), { recursive: true });
  const known = store.list().length;
  await expect(makeKey(store, {})).rejects.toMatchObject({ code: "storage_unavailable", status: 503 });
  await expect(store.remove(keys[0]!.uid)).rejects.toThrow();
  expect(store.list()).toHaveLength(known);
  expect(readdirSync(join(path, "..")).sort()).toEqual(["keys.json", "x"]);
});
