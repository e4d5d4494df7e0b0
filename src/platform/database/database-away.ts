/** Tells a database that does not answer from a mistake in a statement. */

/** Primary codes of SQLite: busy, locked, read-only, input or output, full, cannot open. */
const SQLITE_AWAY = new Set([5, 6, 8, 10, 13, 14]);
/** Classes of PostgreSQL: connection, rollback, resources, intervention; and read-only, of a stand-by. */
const POSTGRES_AWAY = /^(?:08|40|53|57)...$|^25006$/;
/** ECONNREFUSED, ENOTFOUND, … of the system. */
const SYSTEM_ERROR = /^E[A-Z]+$/;
/** What the driver says without a code. */
const DRIVER_AWAY = /timeout|^Connection terminated|^Client has encountered/;
const MAX_DEPTH = 3;

/** Whether the same question may be answered in a moment. */
export function isDatabaseAway(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false;
  if ("errcode" in error) return SQLITE_AWAY.has(Number(error.errcode) & 0xff);
  const code = "code" in error ? String(error.code) : "";
  if (POSTGRES_AWAY.test(code) || SYSTEM_ERROR.test(code)) return true;
  if (code === "" && DRIVER_AWAY.test(error.message)) return true;
  if (error instanceof AggregateError) return error.errors.some((inner) => isDatabaseAway(inner, depth + 1));
  return isDatabaseAway(error.cause, depth + 1);
}
