/** `<CacheTools />`: a table with a row for each build tool of the cache, so that no page lists them itself. */
import type { FactComponent } from "#docs/content/blocks/component.ts";
import type { Facts } from "#docs/content/facts/facts.ts";
import { type FactRow, previewMarks } from "./fact-table.ts";
import { tableOf } from "./fact-tables.ts";
import { plain } from "./inline-markdown.ts";

type Tool = Facts["cache"]["tools"][number];

const overview = tableOf({
  example: "<CacheTools />",
  head: ["Tool", "Protocol", "Address", "Credentials"],
  rows(facts, claim) {
    const { tools } = facts.cache;
    const mark = previewMarks(tools, facts);
    return tools.map((tool) => ({
      id: claim(`tool-${tool.id}`, `cache-tool-${tool.id}`),
      cells: [
        [
          { type: "link", url: tool.page, children: plain(tool.name) },
          ...plain(tool.since === undefined ? "" : ` ${tool.since}+`),
          ...mark(tool),
          // A separate column would make the table wider than the page.
          ...plain(`, tested with ${tool.tested}`),
        ],
        tool.protocol,
        tool.address,
        tool.credentials,
      ],
    }));
  },
});

interface Columns {
  head: string[];
  /** Tools with equal cells share a row. Null: the tool is in the last row, which says what is true `otherwise`. */
  cells(tool: Tool): string[] | null;
  /** The address of the tool's name; without it, the name is plain. */
  link?: (tool: Tool) => string;
}

/** By `show`. */
const COLUMNS: Readonly<Record<string, Columns>> = {
  organization: {
    head: ["Tool", "How"],
    cells: ({ organization }) => (organization === undefined ? null : [organization]),
  },
  token: {
    head: ["Tool", "Reads the token from", "Form"],
    cells: ({ token }) => [token.from, token.form],
    link: ({ page }) => page,
  },
  runner: { head: ["Tool", "What is set"], cells: ({ runner }) => [runner] },
  prints: {
    head: ["Tool", "A miss", "A hit from the remote cache"],
    cells: ({ prints }) => [prints.miss, prints.hit],
    link: ({ page }) => `${page}#check-that-it-hits`,
  },
  keys: { head: ["Tool", "Command", "Compare"], cells: ({ keys }) => [keys.command, keys.compare] },
};

export const cacheTools: FactComponent = {
  ...overview,
  attributes: { show: { values: Object.keys(COLUMNS) }, otherwise: {} },
  expand(given, facts, claim) {
    const columns = COLUMNS[given["show"] ?? ""];
    if (!columns) return overview.expand(given, facts, claim);
    const rows = () => rowsOf(facts.cache.tools, columns, given["otherwise"] ?? "");
    return tableOf({ example: '<CacheTools show="token" />', head: columns.head, rows }).expand(
      given,
      facts,
      claim,
    );
  },
};

function rowsOf(tools: readonly Tool[], { cells, link }: Columns, otherwise: string): FactRow[] {
  const rows = new Map<string, string[]>();
  const given = tools.map((tool) => ({ tool, own: cells(tool) }));
  const inOrder = [...given.filter(({ own }) => own), ...given.filter(({ own }) => !own)];
  for (const { tool, own } of inOrder) {
    const name = link ? `[${tool.name}](${link(tool)})` : tool.name;
    const key = link ? tool.id : JSON.stringify(own);
    const [names, ...rest] = rows.get(key) ?? ["", ...(own ?? [otherwise])];
    rows.set(key, [names ? `${names}, ${name}` : name, ...rest]);
  }
  return [...rows.values()].map((cells) => ({ cells }));
}
