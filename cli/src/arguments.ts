/** From the words of a command line to a command with its flags. Every error here ends with exit code 2. */
import { parseArgs } from "node:util";
import { errorCode, usageError } from "./errors.ts";
import type { Command, Facts, Flag } from "./facts.ts";
import { splitArguments, type Token, plainOf } from "./builds/split-arguments.ts";
import { nearest } from "./text.ts";

/** The given flags, by name with dashes. */
export interface GivenFlags {
  text: (name: string) => string | undefined;
  texts: (name: string) => string[];
  isSet: (name: string) => boolean;
}

export type Parsed =
  | {
      kind: "command";
      command: Command;
      flags: GivenFlags;
      positionals: string[];
      /** The words for the other program, if the command passes flags on. */
      theirs?: Token[];
    }
  /** `name` is a command, a group (`projects`), or "" for all. */
  | { kind: "help"; name: string }
  | { kind: "version" };

/** @throws CliError with exit code 2 */
export function parseCommandLine(args: readonly string[], facts: Facts): Parsed {
  const { words, indexes } = plainWords(args, facts.globalFlags);
  const command = findCommand(words, facts);
  if (!command) return withoutCommand(args, words, facts);
  const count = command.name.split(" ").length;
  const rest = args.filter((_, index) => !indexes.slice(0, count).includes(index));
  const { values, positionals, theirs } = parseWords(rest, command, facts);
  const flags = givenFlags(values);
  if (flags.isSet("--help")) return { kind: "help", name: command.name };
  if (flags.isSet("--version")) return { kind: "version" };
  checkValues(command, facts, flags);
  if (theirs) return { kind: "command", command, flags, positionals, theirs };
  checkPositionals(command, positionals);
  return { kind: "command", command, flags, positionals };
}

/** Words that are neither flags nor values of global flags, with their indexes. */
export function plainWords(
  args: readonly string[],
  globalFlags: readonly Flag[],
): { words: string[]; indexes: number[] } {
  const words: string[] = [];
  const indexes: number[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    if (arg === "--") break;
    if (globalFlags.some(({ name, value }) => name === arg && value !== undefined)) index++;
    else if (!arg.startsWith("-")) {
      words.push(arg);
      indexes.push(index);
    }
  }
  return { words, indexes };
}

export function findCommand(words: readonly string[], { commands }: Facts): Command | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(" ");
    const command = commands.find((candidate) => candidate.name === name);
    if (command) return command;
  }
  return undefined;
}

function withoutCommand(args: readonly string[], words: readonly string[], facts: Facts): Parsed {
  const [first = "", second] = words;
  const group = facts.commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  const asksHelp = args.some((arg) => arg === "--help" || arg === "-h");
  if (first === "" || (group.length > 0 && second === undefined)) {
    if (asksHelp) return { kind: "help", name: first };
    if (first === "" && args.some((arg) => arg === "--version" || arg === "-v")) return { kind: "version" };
    if (first === "" && args[0] !== undefined)
      throw usageError(`unknown flag ${args[0]}: see millrace --help`);
    throw usageError(
      `${first === "" ? "no command" : `${first} needs a subcommand`}: see millrace ${first === "" ? "" : `${first} `}--help`,
    );
  }
  const [tried, candidates] =
    group.length > 0
      ? [`${first} ${second}`, group]
      : [first, [...new Set(facts.commands.map(({ name }) => name.split(" ")[0]!))]];
  const near = nearest(tried, candidates);
  const hint =
    near === undefined
      ? `see millrace ${group.length > 0 ? `${first} ` : ""}--help`
      : `did you mean millrace ${near}?`;
  throw usageError(`unknown command ${tried}: ${hint}`);
}

type Values = { [name: string]: string | boolean | (string | boolean)[] | undefined };

function parseWords(
  args: readonly string[],
  command: Command,
  facts: Facts,
): { values: Values; positionals: string[]; theirs?: Token[] } {
  if (command.passthrough === undefined) return parseFlags(args, command, facts);
  const { own, theirs } = splitArguments(args, command, facts.globalFlags);
  const values = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.slice(2), value]));
  return { values, positionals: plainOf(theirs), theirs };
}

function parseFlags(
  args: readonly string[],
  command: Command,
  facts: Facts,
): { values: Values; positionals: string[] } {
  const known = [...command.flags, ...facts.globalFlags];
  const options = Object.fromEntries(
    known.map(({ name, short, value, repeatable = false }) => [
      name.slice(2),
      {
        type: value === undefined ? ("boolean" as const) : ("string" as const),
        ...(short === undefined ? {} : { short: short.slice(1) }),
        multiple: repeatable,
      },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw flagError(error, args, command, known);
  }
}

function flagError(error: unknown, args: readonly string[], command: Command, known: readonly Flag[]): Error {
  const message = error instanceof Error ? error.message : "";
  const named = /'(?:-\w, )?(-[^' ]*)/.exec(message)?.[1] ?? "";
  const help = `see millrace ${command.name} --help`;
  switch (errorCode(error)) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION": {
      // Node.js names one letter of a cluster; the user typed the whole word.
      const typed =
        args.find((arg) => arg.split("=")[0] === named) === undefined
          ? (args.find((arg) => arg.startsWith(named)) ?? named)
          : named;
      const near = nearest(
        typed,
        known.map(({ name }) => name),
      );
      return usageError(
        `millrace ${command.name} has no flag ${typed}: ${near === undefined ? help : `did you mean ${near}?`}`,
      );
    }
    case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE": {
      const flag = known.find(({ name }) => name === named);
      return usageError(
        flag?.value === undefined
          ? `${named} takes no value: ${help}`
          : `${named} needs a value: ${named} ${flag.value}`,
      );
    }
    default:
      return error instanceof Error ? error : new Error(String(error));
  }
}

function givenFlags(values: Values): GivenFlags {
  const texts = (name: string): string[] =>
    [values[name.slice(2)] ?? []].flat().filter((value) => typeof value === "string");
  return { texts, text: (name) => texts(name).at(-1), isSet: (name) => values[name.slice(2)] !== undefined };
}

/** `table|json` as a list; undefined if any value is allowed. */
export function choicesOf({ value }: Flag): string[] | undefined {
  return value === undefined || /[<\s,…]/.test(value) ? undefined : value.split("|");
}

function checkValues(command: Command, { globalFlags }: Facts, flags: GivenFlags): void {
  for (const flag of [...command.flags, ...globalFlags]) {
    const choices = choicesOf(flag);
    for (const value of flags.texts(flag.name)) {
      if (value === "") throw usageError(`${flag.name} needs a value: ${flag.name} ${flag.value}`);
      if (choices && !choices.includes(value))
        throw usageError(`${flag.name} ${value} is not one of: ${choices.join(", ")}`);
    }
    if (flag.required && !flags.isSet(flag.name))
      throw usageError(`${flag.name} is missing: ${command.synopsis}`);
  }
}

function checkPositionals({ synopsis, arguments: expected }: Command, positionals: readonly string[]): void {
  const missing = expected.find(({ required }, index) => required && (positionals[index] ?? "") === "");
  if (missing) throw usageError(`${missing.name} is missing: ${synopsis}`);
  const isVariadic = /[>\]]\.\.\./.test(synopsis);
  if (!isVariadic && positionals.length > expected.length)
    throw usageError(`unexpected argument ${positionals[expected.length]}: ${synopsis}`);
}
