/** Spreadsheets run cells that begin with these as formulas; a leading quote makes them text. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows with the same keys → CSV with a header; lists and objects become JSON in one cell. */
export function toCsv(rows: readonly object[], columns: readonly string[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => cell((row as { [name: string]: unknown })[column])).join(","),
  );
  return `${[columns.map(cell).join(","), ...lines].join("\r\n")}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
