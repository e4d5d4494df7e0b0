/** The output of `--help`. */
import type { Command, Facts, Flag } from "./facts.ts";
import { wrapText } from "./text.ts";

interface Page {
  /** Columns; at most 100 are used, because long lines are hard to read. */
  width: number;
  heading: (text: string) => string;
}

const MOST_COLUMNS = 100;
/** With fewer columns, a description goes below its term. */
const LEAST_DESCRIPTION = 30;

/** @param name of a command, or of a group (`projects`), or "" for all */
export function formatHelp(name: string, facts: Facts, page: Page): string {
  const command = facts.commands.find((candidate) => candidate.name === name);
  return command ? commandHelp(command, facts, page) : groupHelp(name, facts, page);
}

function groupHelp(name: string, facts: Facts, page: Page): string {
  const members = facts.commands.filter((command) => name === "" || command.name.startsWith(`${name} `));
  const groups = [...new Set(members.map(({ group }) => group))];
  return [
    `millrace ${name === "" ? "" : `${name} `}<command> [flags]`,
    ...groups.map((group) =>
      section(
        `${group} commands`,
        members
          .filter((command) => command.group === group)
          .map((command) => [command.name, command.summary]),
        page,
      ),
    ),
    section("Flags for every command", facts.globalFlags.map(flagRow), page),
    "Run millrace <command> --help for help with a command.\n",
  ].join("\n\n");
}

function commandHelp(command: Command, facts: Facts, page: Page): string {
  const parts = [
    command.synopsis,
    wrapText(command.summary, Math.min(page.width, MOST_COLUMNS)).join("\n"),
    section(
      "Arguments",
      command.arguments.map(({ name, description }) => [name, description]),
      page,
    ),
    section("Flags", command.flags.map(flagRow), page),
    section(
      "More commands",
      facts.commands
        .filter(({ name }) => name.startsWith(`${command.name} `))
        .map(({ name, summary }) => [name, summary]),
      page,
    ),
    command.passthrough === undefined ? "" : `Every flag of ${command.passthrough} works as well.`,
    section("Flags for every command", facts.globalFlags.map(flagRow), page),
    section(
      "Examples",
      command.examples.map(({ run, description = "" }) => [run, description]),
      { ...page, width: 0 },
    ),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function flagRow({
  name,
  short,
  value,
  default: standard,
  env,
  repeatable,
  description,
}: Flag): [string, string] {
  const notes = [
    description,
    ...(standard === undefined ? [] : [`Default: ${standard}.`]),
    ...(repeatable ? ["Can be given more than once."] : []),
    ...(env === undefined ? [] : [`Environment: ${env}.`]),
  ];
  return [
    `${short === undefined ? "    " : `${short}, `}${name}${value === undefined ? "" : ` ${value}`}`,
    notes.join(" "),
  ];
}

/** Terms on the left and descriptions on the right, or below if there is no room. */
function section(title: string, rows: (readonly [string, string])[], { width, heading }: Page): string {
  if (rows.length === 0) return "";
  const columns = Math.min(width, MOST_COLUMNS);
  const left = Math.min(34, Math.max(...rows.map(([term]) => term.length))) + 4;
  const isBeside = columns - left >= LEAST_DESCRIPTION;
  const lines = rows.flatMap(([term, description]) => {
    if (!isBeside) {
      const indented =
        description === "" ? [] : wrapText(description, Math.max(columns, MOST_COLUMNS / 2) - 6);
      return [`  ${term}`, ...indented.map((line) => `      ${line}`)];
    }
    const [first = "", ...rest] = wrapText(description, columns - left);
    const space = " ".repeat(left);
    return term.length + 4 > left
      ? [`  ${term}`, `${space}${first}`, ...rest.map((line) => space + line)]
      : [`  ${term}`.padEnd(left) + first, ...rest.map((line) => space + line)];
  });
  return [heading(title), ...lines].join("\n");
}
