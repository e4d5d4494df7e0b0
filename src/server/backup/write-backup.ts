/**
 * Copies `DATA_DIR` while its server runs. Records first, then the files that they name, then the rest:
 *
 *   catalog.sqlite ── VACUUM INTO ──► the copy ── names docs.17.index, payloads/… ──► opened, copied
 *        ▲                                                         │ one is gone
 *        └──────────────────── again ◄─────────────────────────────┘
 *   every other database ── VACUUM INTO     every other file ── copied
 *   blobs that the copy of the records names ── copied, while the server removes none     manifest.json ── last
 *
 * No index file is written twice (decision 010), so a file that the catalog names is whole. Everything is
 * written to a temporary folder, which gets the backup's name once it is complete and on the disk.
 */
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import packageJson from "../../../package.json" with { type: "json" };
import { SQLITE_CORRUPT, SQLITE_FULL, SQLITE_NOTADB, sqliteCode } from "#platform/database/sqlite-code.ts";
import { FILE_MODE, FOLDER_MODE, syncFolder, syncTree, writeDurably } from "#platform/files/durable.ts";
import { CATALOG_FILE, filesNamedBy } from "#search-server/index.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { copyBlobs } from "./copy-blobs.ts";
import { copyFile, copyOpenFile, measureFile } from "./copy-file.ts";
import { findFiles, ifGone } from "./find-files.ts";
import { holdCollection } from "./hold-collection.ts";
import { DATA_FOLDER, type Manifest, MANIFEST_FILE, type ManifestFile } from "./manifest.ts";

const DATABASE_FILE = "millrace.db";
const SEARCH_FOLDER = "search";
const CATALOG = `${SEARCH_FOLDER}/${CATALOG_FILE}`;
/** Milliseconds to wait for a server that is starting or ending. */
const BUSY_MS = 10_000;
/** A retry means that an index was replaced in the milliseconds between reading its record and its file. */
const CATALOG_ATTEMPTS = 50;

export interface WrittenBackup {
  /** Absolute. */
  folder: string;
  manifest: Manifest;
  /** Omissions and their reasons, one sentence each. */
  warnings: string[];
}

export interface BackupOptions {
  /**
   * The records are in PostgreSQL. A `millrace.db` is then no longer used, so all blob files are copied, whatever it names, and
   * the collector is not held.
   */
  hasRecordsElsewhere?: boolean;
}

/**
 * @param folder is created; its parent must exist
 * @throws UserError when there is no `DATA_DIR`, or the folder exists; the system's error when it cannot be
 * written
 */
export async function writeBackup(
  dataDir: string,
  folder: string,
  { hasRecordsElsewhere = false }: BackupOptions = {},
): Promise<WrittenBackup> {
  const [source, target] = [resolve(dataDir), resolve(folder)];
  await checkFolders(source, target);
  const { ino } = await stat(source);
  const unfinished = `${target}.${process.pid}.unfinished`;
  await removeUnfinished(target);
  const createdAt = new Date().toISOString();
  await mkdir(unfinished, { mode: FOLDER_MODE });
  const held = await holdCollection(hasRecordsElsewhere ? null : join(source, DATABASE_FILE));
  try {
    const { files, warnings } = await copyData(source, join(unfinished, DATA_FOLDER), hasRecordsElsewhere);
    if (held.warning) warnings.push(held.warning);
    if ((await stat(source)).ino !== ino)
      throw new UserError(`${source} was replaced while it was copied: write the backup again.`);
    const manifest: Manifest = { format: 1, version: packageJson.version, createdAt, files };
    await syncTree(unfinished);
    await writeDurably(join(unfinished, MANIFEST_FILE), `${JSON.stringify(manifest)}\n`);
    // The rename would replace an empty folder made meanwhile; the check above found none.
    await rename(unfinished, target);
    await syncFolder(dirname(target));
    return { folder: target, manifest, warnings };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    if (sqliteCode(error) === SQLITE_FULL)
      throw new UserError(`The disk of ${target} is full: free some space and write the backup again.`);
    throw error;
  } finally {
    held.release();
  }
}

async function checkFolders(source: string, target: string): Promise<void> {
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  if (!(await isFolder(source)))
    throw new UserError(`There is no folder ${source}: set DATA_DIR to the one that the server uses.`);
  if (`${target}/`.startsWith(`${source}/`))
    throw new UserError(`${target} is inside DATA_DIR ${source}: name a folder elsewhere.`);
  if (await stat(target).catch(ifGone))
    throw new UserError(
      `${target} already exists, and a backup replaces nothing: name a folder that does not exist.`,
    );
  if (!(await isFolder(dirname(target))))
    throw new UserError(`There is no folder ${dirname(target)}: create it first.`);
}

/** Removes leftovers of a killed backup of the same name. */
async function removeUnfinished(target: string): Promise<void> {
  for (const name of await readdir(dirname(target))) {
    const [, pid] = name.startsWith(`${basename(target)}.`) ? (/\.(\d+)\.unfinished$/.exec(name) ?? []) : [];
    if (pid && !isRunning(Number(pid)))
      await rm(join(dirname(target), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function copyData(source: string, target: string, hasRecordsElsewhere: boolean) {
  await mkdir(target, { mode: FOLDER_MODE });
  const { databases, others, leftOut } = await findFiles(source);
  const warnings = leftOut.map((path) => `${path} is left out: it is not a regular file.`);
  const files = new Map<string, ManifestFile>();
  const keep = (path: string, copied: Omit<ManifestFile, "path">) => files.set(path, { path, ...copied });
  if (databases.includes(CATALOG)) {
    const named = await copyCatalog(source, target);
    for (const [path, copied] of named.files) keep(path, copied);
    for (const path of named.missing)
      warnings.push(`${path} is left out: the catalog names it, but it is missing.`);
  }
  for (const path of databases.filter((path) => !files.has(path))) {
    const [from, to] = [join(source, path), join(target, path)];
    const isWhole = await copyDatabase(from, to);
    if (!isWhole) warnings.push(`${path} is damaged and was copied as it is.`);
    keep(path, isWhole ? await measureFile(to) : await copyFile(from, to));
  }
  for (const path of others.filter((path) => !files.has(path))) {
    // Null if it was replaced or removed while other files were copied.
    const copied = await copyFile(join(source, path), join(target, path)).catch(ifGone);
    if (copied) keep(path, copied);
  }
  const blobs = await copyBlobs({ source, target }, hasRecordsElsewhere ? null : join(target, DATABASE_FILE));
  for (const [path, copied] of blobs.files) keep(path, copied);
  warnings.push(...blobs.warnings);
  return { files: [...files.values()], warnings };
}

/** Copies the catalog and every file that its copy names. `missing` has names without a file, now or a moment ago. */
async function copyCatalog(source: string, target: string) {
  const copy = join(target, CATALOG);
  let missing: string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    if (!(await copyDatabase(join(source, CATALOG), copy)))
      throw new UserError(`${join(source, CATALOG)} is damaged: restart the server, which moves it aside.`);
    const named = filesNamedBy(copy).map((path) => `${SEARCH_FOLDER}/${path}`);
    const opened = await openAll(source, named);
    const known = missing;
    missing = opened.missing;
    // A server never removes a file before its catalog names its replacement.
    if (missing.every((path) => known.includes(path))) {
      const files = new Map([[CATALOG, await measureFile(copy)]]);
      for (const [path, handle] of opened.handles) {
        files.set(path, await copyOpenFile(handle, join(target, path)));
        await handle.close();
      }
      return { files, missing };
    }
    for (const handle of opened.handles.values()) await handle.close();
    await rm(copy);
    if (attempt === CATALOG_ATTEMPTS)
      throw new UserError(
        `The indexes change faster than they can be copied (${CATALOG_ATTEMPTS} attempts): write the backup when fewer documents are sent.`,
      );
  }
}

/** All at the same time, because an open file stays readable after it is removed. */
async function openAll(folder: string, paths: readonly string[]) {
  const handles = new Map<string, FileHandle>();
  const missing: string[] = [];
  for (const path of paths) {
    const handle = await open(join(folder, path)).catch(ifGone);
    if (handle) handles.set(path, handle);
    else missing.push(path);
  }
  return { handles, missing };
}

/** @returns false when it is damaged; then no copy is left */
async function copyDatabase(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: FOLDER_MODE });
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(from, { readOnly: true, timeout: BUSY_MS });
    db.prepare("VACUUM INTO ?").run(to);
    await chmod(to, FILE_MODE);
    return true;
  } catch (error) {
    if (![SQLITE_CORRUPT, SQLITE_NOTADB].includes(sqliteCode(error))) throw error;
    await rm(to, { force: true });
    return false;
  } finally {
    db?.close();
  }
}
