/** Candidates for the Tab key. The scripts of all shells ask here, so none of them has to know the commands. */
import { choicesOf, findCommand, plainWords } from "./arguments.ts";
import type { Command, Facts, Flag } from "./facts.ts";

export interface Candidate {
  value: string;
  description: string;
}

/** The server's objects that arguments can name. */
export type Listed = "projects" | "organizations" | "tokens" | "mirrors";

const LISTED_BY_NAME: { [name: string]: Listed } = {
  "<organization>": "organizations",
  "--project": "projects",
  project: "projects",
  organization: "organizations",
  "token id": "tokens",
  host: "mirrors",
};

/**
 * @param words before the cursor; the last is the word that is being typed, or ""
 * @param list returns objects of the server, or none
 */
export async function complete(
  words: readonly string[],
  facts: Facts,
  list: (what: Listed) => Promise<Candidate[]>,
): Promise<Candidate[]> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const { words: plain } = plainWords(before, facts.globalFlags);
  const command = findCommand(plain, facts);
  const flags = [...(command?.flags ?? []), ...facts.globalFlags];
  const ofValue = await completeValue(before, current, flags, list);
  const offered = ofValue ?? (await completeWord(before, current, { plain, command, flags, facts, list }));
  return offered.filter(({ value }) => value.startsWith(current));
}

/** @returns undefined if the word is not a value of a flag */
async function completeValue(
  before: readonly string[],
  current: string,
  flags: readonly Flag[],
  list: (what: Listed) => Promise<Candidate[]>,
): Promise<Candidate[] | undefined> {
  const [, joined] = /^(--[a-z-]+)=/.exec(current) ?? [];
  const name = joined ?? before.at(-1);
  if (name === undefined) return undefined;
  const flag = flags.find((candidate) => candidate.name === name || candidate.short === name);
  if (flag?.value === undefined) return undefined;
  const listed = LISTED_BY_NAME[flag.name] ?? LISTED_BY_NAME[flag.value];
  const values = listed ? await list(listed) : (choicesOf(flag) ?? []).map((value) => candidate(value));
  const prefix = joined === undefined ? "" : `${joined}=`;
  return values.map(({ value, description }) => candidate(prefix + value, description));
}

interface Position {
  plain: readonly string[];
  command: Command | undefined;
  flags: readonly Flag[];
  facts: Facts;
  list: (what: Listed) => Promise<Candidate[]>;
}

async function completeWord(
  before: readonly string[],
  current: string,
  position: Position,
): Promise<Candidate[]> {
  const { plain, command, flags, facts, list } = position;
  if (current.startsWith("-"))
    return flags
      .filter(
        ({ name, short, repeatable }) =>
          repeatable || !before.some((word) => word === name || word === short),
      )
      .map(({ name, description }) => candidate(name, description));
  // `docs` is a command, and the beginning of `docs search`.
  const next = nextWords(plain, facts);
  if (!command || next.length > 0) return next;
  const argument = command.arguments[0];
  if (!argument || plain.length > command.name.split(" ").length) return [];
  if (command.name === "completion")
    return ["bash", "zsh", "fish", "powershell"].map((shell) => candidate(shell));
  const listed = LISTED_BY_NAME[argument.name];
  return listed ? list(listed) : [];
}

function nextWords(plain: readonly string[], { commands }: Facts): Candidate[] {
  const prefix = plain.map((word) => `${word} `).join("");
  const next = new Map<string, string>();
  for (const { name, summary, group } of commands) {
    if (!name.startsWith(prefix)) continue;
    const [word = "", ...more] = name.slice(prefix.length).split(" ");
    if (!next.has(word)) next.set(word, more.length === 0 ? summary : `${group} commands`);
  }
  return [...next].map(([value, description]) => candidate(value, description));
}

const candidate = (value: string, description = ""): Candidate => ({ value, description });
