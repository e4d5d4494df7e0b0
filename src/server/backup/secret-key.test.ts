/**
 * 1. Each kind of text that the code seals is on the list, and the pages about backups and security name each of them.
 * 2. A backup with its key starts on another machine. It does not start next to a variable with another key, or without the key
 *    that was in a variable, and the start says which key is missing.
 * 3. The command says that a key in a variable is not in the backup.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBuildAuthority } from "#builds/index.ts";
import { root } from "../pages/build-folders.ts";
import { openSealedRecords, sealedRecords } from "../database/sealed-records.ts";
import { createTestLog } from "../testing/log.ts";
import { parseEnvironment } from "../environment.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");
const OTHER = Buffer.alloc(32, 8).toString("base64");
const newFolder = () => mkdtempSync(join(tmpdir(), "key-backup-"));
const open = (DATA_DIR: string, more: Record<string, string> = {}) =>
  openSealedRecords(parseEnvironment({ DATA_DIR, ...more }), { log: createTestLog().log });

test("1. the list", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join("src", file), "utf8"));
  const declared = sources.flatMap((text) =>
    [...text.matchAll(/: SealedColumn = \{[^}]*?purpose: "([^"]+)"/g)].map(([, purpose]) => purpose),
  );
  expect(declared.sort()).toEqual(sealedRecords.map(({ purpose }) => purpose).sort());
  for (const page of ["managed/overview/backup", "security"]) {
    const text = readFileSync(`content/docs/${page}.mdx`, "utf8");
    for (const { what } of sealedRecords) expect(text, page).toContain(what);
  }
});

async function makeBackup(more: Record<string, string> = {}) {
  const [source, folder] = [newFolder(), newFolder()];
  const { database, secretKey } = await open(source, more);
  await openBuildAuthority({ database, secretKey, clock: Date.now });
  await database.close();
  await writeBackup(source, join(folder, "monday"));
  await restoreBackup(join(folder, "monday"), join(folder, "restored"));
  return { source, restored: join(folder, "restored"), secretKey };
}

test("2. with its key", async () => {
  const { restored, secretKey } = await makeBackup();
  const other = open(restored, { MILLRACE_SECRET_KEY: OTHER });
  await expect(other).rejects.toThrow(
    /MILLRACE_SECRET_KEY is not the key of the records in .*, but .*secret\.key is/,
  );
  const opened = await open(restored);
  expect(opened.secretKey).toEqual(secretKey);
  await opened.database.close();
});

test("2. without its key", async () => {
  const { restored } = await makeBackup({ MILLRACE_SECRET_KEY: KEY });
  await expect(open(restored)).rejects.toThrow(/There is no .*secret\.key, and the records in .* need it/);
  expect(existsSync(join(restored, "secret.key"))).toBe(false);
  await (await open(restored, { MILLRACE_SECRET_KEY: KEY })).database.close();
});

test("3. what the command says", async () => {
  const { source } = await makeBackup({ MILLRACE_SECRET_KEY: KEY });
  const run = (folder: string, more: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", "src/server/backup.ts", folder], {
      cwd: root,
      env: { ...process.env, DATA_DIR: source, ...more },
      encoding: "utf8",
    });
  const said = run(join(newFolder(), "a"), { MILLRACE_SECRET_KEY: KEY });
  expect([said.status, said.stderr]).toEqual([
    0,
    expect.stringContaining("in MILLRACE_SECRET_KEY and not in this backup"),
  ]);
  expect(run(join(newFolder(), "b"), { MILLRACE_SECRET_KEY: "" }).stderr).toBe("");
});
