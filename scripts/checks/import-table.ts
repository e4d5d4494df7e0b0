/** The table "Where code goes" of CONTRIBUTING.md, in Markdown. */
import { IMPORT_RULES } from "./import-rules.ts";

export function importTable(): string {
  const rows = IMPORT_RULES.filter(
    ({ has }) => /(?:src|cli)\\\//.test(has.source) && !has.test("site.config.ts"),
  ).map(({ room, values, types = [] }) => {
    const named = [...values.map((name) => `\`${name}\``), ...types.map((name) => `types of \`${name}\``)];
    return [room === "cli" ? "`cli`" : `\`src/${room}\``, named.join(", ") || "nothing of ours"];
  });
  rows.push(["`scripts`, `tests`, `bench`", "everything"]);
  const width = (column: number) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0), "may import".length);
  const line = ([a = "", b = ""]: string[]) => `| ${a.padEnd(width(0))} | ${b.padEnd(width(1))} |`;
  const rule = `| ${"-".repeat(width(0))} | ${"-".repeat(width(1))} |`;
  return [line(["folder", "may import"]), rule, ...rows.map(line)].join("\n");
}
