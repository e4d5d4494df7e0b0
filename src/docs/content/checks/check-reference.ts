import type { Facts } from "../facts/facts.ts";
import { Slugger } from "../page/slugger.ts";
import type { Block, ContentProblem, Page } from "../types.ts";

/** Facts that must be on some page: their file, and the component that shows them. */
interface Shown {
  file: keyof Facts;
  component: string;
  names: string[];
}

/**
 * The references must be complete: every fact is in a table of some page. A command and a service have a
 * heading with their name and a table of all their flags or methods below it; other facts are rows with an anchor.
 */
export function checkReference(pages: readonly Page[], facts: Facts): ContentProblem[] {
  const sections = pages.flatMap(({ blocks }) => tablesByHeading(blocks));
  const anchors = new Set(pages.flatMap((page) => page.anchors));
  const paths = new Set(pages.map(({ path }) => path));
  return [
    ...tablesOf(facts).flatMap((table) => checkTable(table, sections)),
    ...rowsOf(facts).flatMap((rows) => checkRows(rows, anchors)),
    ...checkPages("cache", facts.cache.tools, paths),
    ...checkPages("providers", facts.providers.providers, paths),
  ];
}

interface ShownTable extends Shown {
  /** The heading above it. */
  title: string;
}

function tablesOf({ cli, api }: Facts): ShownTable[] {
  const commands = cli.commands.map(({ name, flags }): ShownTable => {
    const names = flags.map((flag) => flag.name);
    return { file: "cli", title: name, names, component: `<FlagTable command="${name}" />` };
  });
  const services = api.services.map(({ name, methods }): ShownTable => {
    const names = methods.map((method) => method.name);
    return { file: "api", title: name, names, component: `<MethodTable service="${name}" />` };
  });
  return [...commands, ...services];
}

interface ShownRows extends Shown {
  /** The prefix of the rows' anchors. */
  prefix: string;
}

function rowsOf({ limits, runners, env, cache, providers, ...facts }: Facts): ShownRows[] {
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  return [
    {
      file: "limits",
      prefix: "limit",
      names: idsOf(limits.limits).map((id) => id.replaceAll(".", "-")),
      component: "<LimitTable />",
    },
    {
      file: "runners",
      prefix: "runner",
      names: runners.runners.map(({ label }) => label),
      component: "<RunnerTable />",
    },
    {
      file: "env",
      prefix: "env",
      names: env.variables.map(({ name }) => name),
      component: "<EnvTable />",
    },
    {
      file: "api-errors",
      prefix: "error",
      names: facts["api-errors"].errors.map(({ code }) => code),
      component: "<ErrorTable />",
    },
    { file: "cache", prefix: "tool", names: idsOf(cache.tools), component: "<CacheTools />" },
    {
      file: "providers",
      prefix: "provider",
      names: idsOf(providers.providers),
      component: "<ProviderTable />",
    },
  ];
}

function checkTable({ file, title, names, component }: ShownTable, sections: Section[]): ContentProblem[] {
  const tables = sections.filter(({ heading }) => heading === title).map(({ table }) => table);
  const gaps = tables.map((table) => names.filter((name) => !table.includes(name)));
  if (gaps.some((gap) => gap.length === 0)) return [];
  const what = tables.length === 0 ? "a section" : `${gaps[0]?.join(", ")} in a table under its heading`;
  return [missing(file, `No page has ${what} for "${title}".`, `### ${title}\n\n${component}`)];
}

function checkRows({ file, prefix, names, component }: ShownRows, anchors: Set<string>): ContentProblem[] {
  return names
    .filter((name) => !anchors.has(new Slugger().slug(`${prefix}-${name}`)))
    .map((name) => missing(file, `No page has a row for ${name}.`, component));
}

function checkPages(
  file: keyof Facts,
  items: readonly { name: string; page: string }[],
  paths: Set<string>,
): ContentProblem[] {
  return items
    .filter(({ page }) => !paths.has(page))
    .map(({ name, page }) =>
      missing(file, `${name} has the page ${page}, which does not exist.`, "page: /docs/…"),
    );
}

function missing(file: keyof Facts, message: string, fix: string): ContentProblem {
  const place = { file: `content/facts/${file}.yaml`, line: 1 };
  return { ...place, rule: "reference", severity: "error", message, fix };
}

interface Section {
  heading: string;
  /** The text of the tables between it and the next heading. */
  table: string;
}

function tablesByHeading(blocks: readonly Block[]): Section[] {
  const sections: Section[] = [];
  for (const block of blocks) {
    const last = sections.at(-1);
    if (block.kind === "heading") sections.push({ heading: block.text, table: "" });
    else if (block.kind === "table" && last) last.table += `${block.text}\n`;
  }
  return sections;
}
