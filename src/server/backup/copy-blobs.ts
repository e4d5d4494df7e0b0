import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyFile, type CopiedFile } from "./copy-file.ts";
import { BLOB_FOLDER } from "#platform/blobs/open-blob-store.ts";
import { ifGone } from "./find-files.ts";

const PLACE = /^[0-9a-f]{32}$/;

export interface CopiedBlobs {
  files: [path: string, copied: CopiedFile][];
  warnings: string[];
}

/** Copies the files that the records name. @param records the copy of the records; if null or without blobs, all files are copied */
export async function copyBlobs(
  { source, target }: { source: string; target: string },
  records: string | null,
): Promise<CopiedBlobs> {
  const folder = join(source, BLOB_FOLDER);
  const files: CopiedBlobs["files"] = [];
  if (!existsSync(folder)) return { files, warnings: [] };
  let missing = 0;
  for (const place of (await placesNamedBy(records)) ?? (await placesIn(folder))) {
    const path = `${BLOB_FOLDER}/${place.slice(0, 2)}/${place}`;
    const copied = await copyFile(join(source, path), join(target, path)).catch(ifGone);
    if (copied) files.push([path, copied]);
    else missing += 1;
  }
  const warning = `${missing} blobs are left out: the records name them, but their files are missing.`;
  return { files, warnings: missing === 0 ? [] : [warning] };
}

/** @returns null if the records have no blobs: those are in PostgreSQL */
async function placesNamedBy(records: string | null): Promise<string[] | null> {
  if (records === null || !existsSync(records)) return null;
  const db = new DatabaseSync(records, { readOnly: true });
  try {
    if (!db.prepare("select 1 from sqlite_schema where name = 'blobs'").get()) return null;
    const rows = db.prepare("select place from blobs where place is not null order by place").all();
    return rows.map(({ place }) => String(place)).filter((place) => PLACE.test(place));
  } finally {
    db.close();
  }
}

async function placesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && PLACE.test(entry.name) && !entry.parentPath.endsWith("incoming"))
    .map(({ name }) => name);
}
