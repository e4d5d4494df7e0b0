/**
 * 1. A backup has one consistent copy of each database, with the last commit, and every other file, but no
 *    process files, journals, links or layer caches. Only its user can read it, whatever the umask.
 * 2. It replaces nothing, is never written into the folder it copies, and reports what is missing.
 * 3. A backup that is killed midway does not get its name, and the next backup removes its leftovers; the same holds for a full
 *    disk.
 * 4. A restore brings back the same files, keeps the old folder unchanged, and frees `DATA_DIR` for the next start.
 * 5. Nothing is restored while a process has `DATA_DIR`.
 * 6. A damaged backup changes nothing and leaves nothing: the message names the file.
 * 7. With records in PostgreSQL it says that they are not in the backup, where they are, and how to copy them. Without the variable
 *    it writes nothing when the last start had its records there.
 * 8. Its size is in powers of 1,000, like every other size.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openDataFolder } from "#platform/locks/data-folder.ts";
import { noteRecordsPlace, readRecordsPlace } from "../database/records-place.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

const command = fileURLToPath(new URL("../backup.ts", import.meta.url));
const node = [process.execPath, "--disable-warning=ExperimentalWarning"] as const;

/** A `DATA_DIR` with a database that is still open and whose last commit is only in the journal. */
function makeData(rows = 3) {
  const folder = mkdtempSync(join(tmpdir(), "backup-test-"));
  const data = join(folder, "data");
  mkdirSync(join(data, "search", "payloads"), { recursive: true });
  const db = new DatabaseSync(join(data, "telemetry.sqlite"));
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE events (id INTEGER PRIMARY KEY, body BLOB)");
  const add = db.prepare("INSERT INTO events (body) VALUES (zeroblob(100000))");
  for (let row = 0; row < rows; row++) add.run();
  writeFileSync(join(data, "secret.key"), "a secret");
  writeFileSync(join(data, "search", "keys.json"), "{}");
  writeFileSync(join(data, "search", "docs.index.4711-0.tmp"), "half a file");
  writeFileSync(join(data, "server.json"), "{}");
  writeFileSync(join(data, "server.lock"), "");
  return { folder, data, db, backup: join(folder, "monday") };
}

const KEPT = ["search/keys.json", "secret.key", "telemetry.sqlite"];

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const hashesOf = (folder: string) =>
  filesOf(folder).map((path) => [
    path,
    createHash("sha256")
      .update(readFileSync(join(folder, path)))
      .digest("hex"),
  ]);

test("1. what is in it", async () => {
  const { folder, data, db, backup } = makeData();
  mkdirSync(join(data, "builders", "prj_0123456789", "linux-amd64"), { recursive: true });
  writeFileSync(join(data, "builders", "prj_0123456789", "linux-amd64", "history.db"), "a layer cache");
  symlinkSync("/nowhere", join(data, "builders", "prj_0123456789", "link"));
  symlinkSync("/etc/hostname", join(data, "link"));
  const umask = process.umask(0);
  const { manifest, warnings } = await writeBackup(data, backup).finally(() => process.umask(umask));
  expect(manifest.files.map(({ path }) => path).sort()).toEqual(KEPT);
  expect(filesOf(join(backup, "data"))).toEqual(KEPT);
  expect(warnings).toEqual(["link is left out: it is not a regular file."]);
  const copy = new DatabaseSync(join(backup, "data", "telemetry.sqlite"), { readOnly: true });
  expect(copy.prepare("SELECT count(*) AS n FROM events").get()).toEqual({ n: 3 });
  copy.close();
  db.close();
  if (process.platform === "win32") return;
  const modes = filesOf(backup).map((path) => statSync(join(backup, path)).mode & 0o777);
  expect(modes).toEqual(modes.map(() => 0o600));
  expect([backup, join(backup, "data")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(readdirSync(folder).sort()).toEqual(["data", "monday"]);
});

test("2. refused", async () => {
  const { folder, data, db, backup } = makeData();
  mkdirSync(backup);
  const refused: [from: string, to: string, message: RegExp][] = [
    [data, backup, /monday already exists, and a backup replaces nothing/],
    [data, join(data, "backup"), /is inside DATA_DIR/],
    [data, join(folder, "none", "monday"), /There is no folder .*none: create it first/],
    [join(folder, "other"), join(folder, "tuesday"), /There is no folder .*other: set DATA_DIR/],
  ];
  for (const [from, to, message] of refused) await expect(writeBackup(from, to)).rejects.toThrow(message);
  db.close();
  expect(readdirSync(folder).sort()).toEqual(["data", "monday"]);
  expect(readdirSync(backup)).toEqual([]);
});

test("3. killed", { timeout: 60_000 }, async () => {
  const { folder, data, db, backup } = makeData(300);
  const child = spawn(node[0], [node[1], command, backup], {
    env: { ...process.env, DATA_DIR: data },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const watcher = watch(folder);
  await once(watcher, "change");
  watcher.close();
  child.kill("SIGKILL");
  await ended;
  const left = readdirSync(folder).filter((name) => name !== "data");
  expect(left).toEqual([`monday.${child.pid}.unfinished`]);
  await writeBackup(data, backup);
  db.close();
  expect(readdirSync(folder).sort()).toEqual(["data", "monday"]);
});

const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;

test.skipIf(!canMount)("3. a full disk (needs the right to mount)", { timeout: 60_000 }, () => {
  const { folder, data, db } = makeData(60);
  const full = join(folder, "full");
  mkdirSync(full);
  const script = `mount -t tmpfs -o size=1m none "$1" && "$2" "$3" "$4" "$1/monday"; code=$?; ls -A "$1"; exit $code`;
  const { status, stdout, stderr } = spawnSync(
    "unshare",
    ["--mount", "sh", "-c", script, "sh", full, ...node, command],
    { env: { ...process.env, DATA_DIR: data }, encoding: "utf8" },
  );
  db.close();
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^The disk( of .*)? is full: free some space .*again\.\n$/);
});

test("4. restored", async () => {
  const { folder, data, db, backup } = makeData();
  await writeBackup(data, backup);
  db.exec("DELETE FROM events");
  db.close();
  writeFileSync(join(data, "secret.key"), "another secret");
  const program = join("builders", "prj_0123456789", "sh");
  mkdirSync(join(data, "builders", "prj_0123456789"), { recursive: true });
  writeFileSync(join(data, program), "", { mode: 0o755 });
  const { mode } = statSync(join(data, program));
  const { former } = await restoreBackup(backup, data);
  expect(hashesOf(data)).toEqual(hashesOf(join(backup, "data")));
  expect(readFileSync(join(former!, "secret.key"), "utf8")).toBe("another secret");
  expect(statSync(join(former!, program)).mode).toBe(mode);
  openDataFolder(data, "the next server").close();
  // A new machine does not have the folder yet.
  const elsewhere = join(folder, "new", "data");
  expect(await restoreBackup(backup, elsewhere)).toMatchObject({ former: null });
  expect(hashesOf(elsewhere)).toEqual(hashesOf(join(backup, "data")));
  expect(readdirSync(join(folder, "new"))).toEqual(["data"]);
});

test("5. in use", async () => {
  const { data, db, backup } = makeData();
  await writeBackup(data, backup);
  db.close();
  const held = openDataFolder(data, "http://localhost:3999");
  const before = hashesOf(data);
  await expect(restoreBackup(backup, data)).rejects.toThrow(
    /in use by the server at http:\/\/localhost:3999 .* Nothing was restored\./,
  );
  expect(hashesOf(data)).toEqual(before);
  held.close();
});

const DAMAGES: [what: string, damage: (backup: string) => void, message: RegExp][] = [
  [
    "a changed byte",
    (backup) => writeFileSync(join(backup, "data", "secret.key"), "A secret"),
    /data.secret\.key has a different checksum from the manifest/,
  ],
  ["a missing file", (backup) => rmSync(join(backup, "data/search/keys.json")), /keys\.json is missing/],
  [
    "a file that is cut short",
    (backup) => truncateSync(join(backup, "data/telemetry.sqlite"), 4096),
    /telemetry\.sqlite has 4096 bytes instead of \d+/,
  ],
  [
    "no manifest",
    (backup) => rmSync(join(backup, "manifest.json")),
    /is not a backup: it has no manifest\.json/,
  ],
  [
    "a manifest that is cut short",
    (backup) => truncateSync(join(backup, "manifest.json"), 100),
    /manifest\.json cannot be used/,
  ],
  [
    "a path that leads out",
    (backup) => {
      const file = join(backup, "manifest.json");
      writeFileSync(file, readFileSync(file, "utf8").replace("search/keys.json", "../../keys.json"));
    },
    /files\.\d+\.path points outside the backup/,
  ],
];

test.each(DAMAGES)("6. damaged: %s", async (_what, damage, message) => {
  const { folder, data, db, backup } = makeData();
  await writeBackup(data, backup);
  db.close();
  damage(backup);
  const before = hashesOf(data).filter(([path]) => !path!.startsWith("server."));
  await expect(restoreBackup(backup, data)).rejects.toThrow(message);
  expect(hashesOf(data).filter(([path]) => !path!.startsWith("server."))).toEqual(before);
  expect(readdirSync(folder).sort()).toEqual(["data", "monday"]);
  expect(existsSync(join(folder, "keys.json"))).toBe(false);
});

test("7. records in PostgreSQL", () => {
  const { data, db, backup } = makeData();
  const env = {
    ...process.env,
    DATA_DIR: data,
    MILLRACE_DATABASE_URL: "postgres://me:s3cret@db.internal/millrace",
  };
  const { status, stderr, stdout } = spawnSync(node[0], [node[1], command, backup], {
    env,
    encoding: "utf8",
  });
  db.close();
  expect([status, stdout]).toEqual([0, expect.stringContaining("3 files")]);
  expect(stderr).toBe(
    "  The records are not in this backup but in PostgreSQL at db.internal:5432/millrace: this copy belongs to the dump that you made before it with pg_dump.\n",
  );
});

test("7. records in PostgreSQL, without the variable", async () => {
  const { folder, data, db, backup } = makeData();
  writeFileSync(join(data, "millrace.db"), "");
  const place = { DATA_DIR: data, MILLRACE_DATABASE_URL: "postgres://me:s3cret@db.internal/millrace" };
  const warnings: string[] = [];
  await noteRecordsPlace(place, (text) => warnings.push(text));
  const { status, stderr } = spawnSync(node[0], [node[1], command, backup], {
    env: { ...process.env, DATA_DIR: data },
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(
      "The records are in PostgreSQL at db.internal:5432/millrace, and a backup without",
    ),
  ]);
  expect(readdirSync(folder)).toEqual(["data"]);
  // The server has returned to its file.
  await noteRecordsPlace({ ...place, MILLRACE_DATABASE_URL: undefined }, (text) => warnings.push(text));
  expect([await readRecordsPlace(data), warnings]).toEqual([null, []]);
  db.close();
});

test("8. its size", () => {
  const { data, db, backup } = makeData();
  writeFileSync(join(data, "large"), Buffer.alloc(12_000_000));
  const { stdout } = spawnSync(node[0], [node[1], command, backup], {
    env: { ...process.env, DATA_DIR: data },
    encoding: "utf8",
  });
  db.close();
  const sizes = filesOf(join(backup, "data")).map((path) => statSync(join(backup, "data", path)).size);
  const megabytes = sizes.reduce((sum, size) => sum + size) / 1e6;
  expect(stdout).toBe(`${backup}: 4 files, ${megabytes.toFixed(1)} MB\n`);
});
