import { open, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { BLOB_FOLDER } from "#platform/blobs/open-blob-store.ts";
import { TEMPORARY_FILE } from "#platform/files/durable.ts";

export interface FoundFiles {
  /** Paths relative to the folder, with `/`, in order. */
  databases: string[];
  others: string[];
  /** Links, sockets and other special files. */
  leftOut: string[];
}

/** Layer caches, which later builds recreate: more files than all others, and files of other systems. */
const BUILDER_FOLDER = "builders";
/** The first bytes of every SQLite database (https://sqlite.org/fileformat.html). */
const SQLITE_MAGIC = "SQLite format 3\0";
const JOURNAL = /-(?:wal|shm|journal)$/;
/** Files of a running process, which are useless without it, and the reserve of disk space. */
const OF_A_PROCESS = /^(?:server\.json|reserve)$|\.lock(?:-journal)?$/;

/** Everything below `DATA_DIR` that is worth keeping, except blobs. */
export async function findFiles(folder: string): Promise<FoundFiles> {
  const found: FoundFiles = { databases: [], others: [], leftOut: [] };
  for (const entry of await readEntries(folder)) {
    if (entry.isDirectory()) continue;
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/");
    if (path.startsWith(`${BLOB_FOLDER}/`)) continue;
    if (!entry.isFile()) found.leftOut.push(path);
    else if (OF_A_PROCESS.test(path) || TEMPORARY_FILE.test(path)) continue;
    else if (await isDatabase(join(folder, path))) found.databases.push(path);
    else found.others.push(path);
  }
  // The copy of a database includes its journal.
  const isJournal = (path: string) =>
    JOURNAL.test(path) && found.databases.includes(path.replace(JOURNAL, ""));
  return {
    databases: found.databases.sort(),
    others: found.others.filter((path) => !isJournal(path)).sort(),
    leftOut: found.leftOut.sort(),
  };
}

async function readEntries(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== BUILDER_FOLDER);
  const inside = await Promise.all(
    folders.map(({ name }) => readdir(join(folder, name), { recursive: true, withFileTypes: true })),
  );
  return [...entries.filter((entry) => !entry.isDirectory()), ...inside.flat()];
}

/** False for a file that was removed meanwhile. */
async function isDatabase(path: string): Promise<boolean> {
  const file = await open(path).catch(ifGone);
  if (!file) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(SQLITE_MAGIC.length), 0, SQLITE_MAGIC.length, 0);
    return buffer.toString("latin1") === SQLITE_MAGIC;
  } finally {
    await file.close();
  }
}

/** @throws every other error */
export function ifGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
