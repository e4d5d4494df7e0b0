export const SQLITE_BUSY = 5;
export const SQLITE_CORRUPT = 11;
export const SQLITE_FULL = 13;
export const SQLITE_NOTADB = 26;

/** The primary code of an SQLite error (https://sqlite.org/rescode.html), 0 for other errors. */
export function sqliteCode(error: unknown): number {
  if (!(error instanceof Error) || !("errcode" in error)) return 0;
  return Number(error.errcode) & 0xff;
}
