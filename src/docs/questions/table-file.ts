import { readFile } from "node:fs/promises";

/** The table that is committed beside this file; only the build reads it. */
export const TABLE_FILE = "src/docs/questions/words.table";

export async function readTableFile(): Promise<Uint8Array> {
  return readFile(new URL("words.table", import.meta.url));
}
