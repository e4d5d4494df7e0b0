import type { Facts } from "../facts.ts";
import { Slugger } from "../slugger.ts";
import type { Block, ContentProblem, Page } from "../types.ts";

/**
 * The references are complete: whatever stands in the facts stands in a table of some page. A command and a service have a
 * heading with their name and a table of all their flags or methods below it; other facts are rows with an anchor.
 */
export function checkReference(pages: readonly Page[], facts: Facts): ContentProblem[] {
  const sections = pages.flatMap(({ blocks }) => tablesByHeading(blocks));
  const anchors = new Set(pages.flatMap((page) => page.anchors));
  const paths = new Set(pages.map(({ path }) => path));
  const missing = (file: string, message: string, fix: string): ContentProblem => {
    return {
      file: `content/facts/${file}.yaml`,
      line: 1,
      rule: "reference",
      severity: "error",
      message,
      fix,
    };
  };

  const inTables = (file: string, title: string, names: string[], component: string): ContentProblem[] => {
    const tables = sections.filter(({ heading }) => heading === title).map(({ table }) => table);
    const gaps = tables.map((table) => names.filter((name) => !table.includes(name)));
    if (gaps.some((gap) => gap.length === 0)) return [];
    const what = tables.length === 0 ? "a section" : `${gaps[0]?.join(", ")} in a table under its heading`;
    return [missing(file, `No page has ${what} for "${title}".`, `### ${title}\n\n${component}`)];
  };
  const asRow = (file: string, prefix: string, names: string[], component: string): ContentProblem[] =>
    names
      .filter((name) => !anchors.has(new Slugger().slug(`${prefix}-${name}`)))
      .map((name) => missing(file, `No page has a row for ${name}.`, component));
  const withPage = (file: string, items: readonly { name: string; page: string }[]): ContentProblem[] =>
    items
      .filter(({ page }) => !paths.has(page))
      .map(({ name, page }) =>
        missing(file, `${name} has the page ${page}, which does not exist.`, "page: /docs/…"),
      );

  return [
    ...facts.cli.commands.flatMap(({ name, flags }) =>
      inTables(
        "cli",
        name,
        flags.map((flag) => flag.name),
        `<FlagTable command="${name}" />`,
      ),
    ),
    ...facts.api.services.flatMap(({ name, methods }) =>
      inTables(
        "api",
        name,
        methods.map((method) => method.name),
        `<MethodTable service="${name}" />`,
      ),
    ),
    ...asRow(
      "limits",
      "limit",
      facts.limits.limits.map(({ id }) => id.replaceAll(".", "-")),
      "<LimitTable />",
    ),
    ...asRow(
      "runners",
      "runner",
      facts.runners.runners.map(({ label }) => label),
      "<RunnerTable />",
    ),
    ...asRow(
      "env",
      "env",
      facts.env.variables.map(({ name }) => name),
      "<EnvTable />",
    ),
    ...asRow(
      "cache",
      "tool",
      facts.cache.tools.map(({ id }) => id),
      "<CacheTools />",
    ),
    ...asRow(
      "providers",
      "provider",
      facts.providers.providers.map(({ id }) => id),
      "<ProviderTable />",
    ),
    ...withPage("cache", facts.cache.tools),
    ...withPage("providers", facts.providers.providers),
  ];
}

/** Each heading with the text of the tables before the next one. */
function tablesByHeading(blocks: readonly Block[]): { heading: string; table: string }[] {
  const sections: { heading: string; table: string }[] = [];
  for (const block of blocks) {
    const last = sections.at(-1);
    if (block.kind === "heading") sections.push({ heading: block.text, table: "" });
    else if (block.kind === "table" && last) last.table += `${block.text}\n`;
  }
  return sections;
}
