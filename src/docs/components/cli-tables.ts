import type { PhrasingContent } from "mdast";
import { FactError, type FactComponent, type MarkdownNode } from "#docs/content/blocks/component.ts";
import type { Command, Flag } from "#docs/content/facts/reference-schemas.ts";
import type { Facts } from "#docs/content/facts/facts.ts";
import { didYouMean } from "#docs/content/problem.ts";
import { code, factTable, previewMarks, requiredMark, type FactRow } from "./fact-table.ts";
import { inlineMarkdown, plain } from "./inline-markdown.ts";

/** `<FlagTable command="build" />`: arguments and flags of a command. `command="global"`: the flags of all commands. */
export const flagTable: FactComponent = {
  kind: "fact",
  inline: false,
  attributes: { command: { required: true } },
  content: "none",
  example: '<FlagTable command="build" />',
  expand({ command: name = "" }, facts, claim) {
    if (name === "global") return flagRows("global", facts.cli.globalFlags, claim);
    const command = findCommand(name, facts);
    if (!command) return [];
    const argumentRows = command.arguments.map(({ name: argument, required, description }) => ({
      id: claim(`argument-${argument}`, `argument-${name}-${argument}`),
      cells: [
        [code(argument)],
        required ? [requiredMark(), ...plain(". "), ...inlineMarkdown(description)] : description,
      ],
    }));
    const nodes = flagRows(name, command.flags, claim, argumentRows);
    if (command.passthrough === undefined) return nodes;
    const note = inlineMarkdown(`Every flag of \`${command.passthrough}\` works as well.`);
    return [...nodes, { type: "paragraph", children: note }];
  },
};

type Claim = Parameters<FactComponent["expand"]>[2];

function flagRows(
  command: string,
  flags: readonly Flag[],
  claim: Claim,
  first: FactRow[] = [],
): MarkdownNode[] {
  const rows = flags.map((flag): FactRow => {
    const word = flag.name.slice(2);
    return {
      id: claim(`flag-${word}`, `flag-${command}-${word}`),
      cells: [flagName(flag), describe(flag)],
    };
  });
  return first.length + rows.length === 0 ? [] : [factTable(["Flag", "Description"], [...first, ...rows])];
}

function flagName({ name, short, value }: Flag): PhrasingContent[] {
  const long = code(value === undefined ? name : `${name} ${value}`);
  return short === undefined ? [long] : [code(short), ...plain(", "), long];
}

/** The default is part of the description: a separate column would be mostly empty and too wide for a phone. */
function describe(flag: Flag): PhrasingContent[] {
  const { description, env, repeatable, required } = flag;
  return [
    ...(required ? [requiredMark(), ...plain(". ")] : []),
    ...inlineMarkdown(description),
    ...(flag.default === undefined ? [] : [...plain(" Default: "), code(flag.default), ...plain(".")]),
    ...plain(repeatable ? " Can be given more than once." : ""),
    ...(env === undefined ? [] : [...plain(" Environment: "), code(env), ...plain(".")]),
  ].filter((node) => node.type !== "text" || node.value !== "");
}

function findCommand(name: string, facts: Facts): Command | undefined {
  const { commands } = facts.cli;
  const command = commands.find((candidate) => candidate.name === name || candidate.aliases.includes(name));
  if (!command && commands.length > 0) {
    const hint = didYouMean(
      name,
      commands.map((candidate) => candidate.name),
    );
    throw new FactError(
      `content/facts/cli.yaml has no command "${name}".${hint}`,
      '<FlagTable command="build" />',
    );
  }
  return command;
}

/** `<CommandTable />`, or one group of commands: `<CommandTable group="Builds" />`. */
export const commandTable: FactComponent = {
  kind: "fact",
  inline: false,
  attributes: { group: {} },
  content: "none",
  example: "<CommandTable />",
  expand({ group }, facts, claim) {
    const commands = facts.cli.commands.filter((command) => group === undefined || command.group === group);
    if (commands.length === 0 && facts.cli.commands.length > 0) {
      const groups = [...new Set(facts.cli.commands.map((command) => command.group))];
      const message = `content/facts/cli.yaml has no group "${group}".${didYouMean(group ?? "", groups)}`;
      throw new FactError(message, `<CommandTable group="${groups[0]}" />`);
    }
    const mark = previewMarks(facts.cli.commands, facts);
    const rows = commands.map((command) => ({
      id: claim(`command-${command.name}`, `command-${group ?? "all"}-${command.name}`),
      cells: [[code(command.synopsis)], [...inlineMarkdown(command.summary), ...mark(command)]],
    }));
    return rows.length === 0 ? [] : [factTable(["Command", "What it does"], rows)];
  },
};
