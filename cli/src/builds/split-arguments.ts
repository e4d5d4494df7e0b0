/**
 * Splits the words after `build` or `bake` into Millrace's own flags and buildx' words.
 *
 *   --save -t web .   →   own: --save        theirs: [-t web] [.]
 *
 * Words for buildx are kept unchanged, unknown flags included. An unknown flag may or may not take a value, which matters only
 * if that value looks like a flag of Millrace.
 */
import { usageError } from "../errors.ts";
import type { Command, Flag } from "../facts.ts";

/** Flags that buildx does not get. `--builder` is read and dropped: the project decides the builder. */
const OWN = ["--project", "--save", "--save-tag", "--lint", "--build-platform", "--gpus", "--builder"];

/** A flag with its value, or a word that is not a flag. */
export interface Token {
  /** The name from the documentation, `--tag`; "" for a word that is not a flag. */
  flag: string;
  /** Undefined for a switch. */
  value: string | undefined;
  /** As typed: `-t`, `web`. */
  words: readonly string[];
}

export interface SplitArguments {
  /** By name with dashes. */
  own: { [name: string]: string | boolean | (string | boolean)[] };
  theirs: Token[];
}

/** @throws CliError with exit code 2 */
export function splitArguments(
  args: readonly string[],
  command: Command,
  globalFlags: readonly Flag[],
): SplitArguments {
  const own: { [name: string]: (string | boolean)[] } = {};
  const theirs: Token[] = [];
  const isOwn = (flag: Flag | undefined) =>
    flag !== undefined && (OWN.includes(flag.name) || globalFlags.includes(flag));
  const left = [...args];
  while (left.length > 0) {
    const { flag, token } = takeToken(left, [...command.flags, ...globalFlags]);
    if (!isOwn(flag)) theirs.push(token);
    else keepOwn(own, flag!, token);
  }
  return { own, theirs };
}

function keepOwn(own: { [name: string]: (string | boolean)[] }, flag: Flag, { value }: Token): void {
  const takesValue = flag.value !== undefined;
  if (takesValue && (value === undefined || value === ""))
    throw usageError(`${flag.name} needs a value: ${flag.name} ${flag.value}`);
  if (!takesValue && value !== undefined && !/^(?:true|false)$/.test(value))
    throw usageError(`${flag.name} takes no value`);
  if (!takesValue && value === "false") return void delete own[flag.name];
  (own[flag.name] ??= []).push(takesValue ? value! : true);
}

/** Takes one flag with its value, or one word, from the front. `--` ends the flags. */
function takeToken(left: string[], known: readonly Flag[]): { flag: Flag | undefined; token: Token } {
  const word = left.shift()!;
  if (word === "--")
    return { flag: undefined, token: { flag: "", value: undefined, words: [word, ...left.splice(0)] } };
  if (!/^-./.test(word)) return { flag: undefined, token: { flag: "", value: undefined, words: [word] } };
  return word.startsWith("--") ? takeLong(word, left, known) : takeShort(word, left, known);
}

function takeLong(
  word: string,
  left: string[],
  known: readonly Flag[],
): { flag: Flag | undefined; token: Token } {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  const flag = known.find((each) => each.name === name);
  if (equals >= 0) return { flag, token: { flag: name, value: word.slice(equals + 1), words: [word] } };
  return { flag, token: withNext(flag, name, [word], left) };
}

/** `-t web`, `-tweb`, `-t=web`, `-qt web`. Only a single letter can be a flag of Millrace. */
function takeShort(
  word: string,
  left: string[],
  known: readonly Flag[],
): { flag: Flag | undefined; token: Token } {
  const letters = word.slice(1);
  for (const [at, letter] of [...letters].entries()) {
    const flag = known.find(({ short }) => short === `-${letter}`);
    const rest = letters.slice(at + 1);
    if (flag?.value !== undefined) {
      if (rest === "")
        return { flag: at === 0 ? flag : undefined, token: withNext(flag, flag.name, [word], left) };
      return { flag: undefined, token: { flag: flag.name, value: rest.replace(/^=/, ""), words: [word] } };
    }
    if (letters.length === 1)
      return { flag, token: { flag: flag?.name ?? word, value: undefined, words: [word] } };
  }
  return { flag: undefined, token: { flag: word, value: undefined, words: [word] } };
}

function withNext(flag: Flag | undefined, name: string, words: string[], left: string[]): Token {
  if (flag?.value === undefined || left.length === 0) return { flag: name, value: undefined, words };
  const value = left.shift()!;
  return { flag: name, value, words: [...words, value] };
}

export const wordsOf = (tokens: readonly Token[]): string[] => tokens.flatMap(({ words }) => words);

export const valuesOf = (tokens: readonly Token[], flag: string): string[] =>
  tokens.flatMap((token) => (token.flag === flag && token.value !== undefined ? [token.value] : []));

/** If a switch is repeated, the last one counts: `--push --push=false`. */
export function isOn(tokens: readonly Token[], flag: string): boolean {
  const last = tokens.findLast((token) => token.flag === flag);
  return last !== undefined && !/^(?:false|0|f)$/i.test(last.value ?? "true");
}

/** Words that are not flags. */
export const plainOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap(({ flag, words }) => (flag === "" ? words.filter((word) => word !== "--") : []));
