/** `completion`, and the candidates for its scripts while a user types. */
import { type Candidate, complete, type Listed } from "../complete.ts";
import { COMPLETION_SCRIPTS } from "../completion-scripts.ts";
import { usageError } from "../errors.ts";
import type { Facts } from "../facts.ts";
import { type Invocation, openSession } from "../session.ts";
import type { Terminal } from "../terminal.ts";
import { cleanText } from "../text.ts";

/** A user who pressed Tab does not wait longer for a server. */
const PATIENCE_MS = 2000;

export async function printCompletion({ positionals, terminal }: Invocation): Promise<void> {
  const [shell = ""] = positionals;
  const script = COMPLETION_SCRIPTS[shell];
  if (script === undefined)
    throw usageError(`${shell} is not one of: ${Object.keys(COMPLETION_SCRIPTS).join(", ")}`);
  terminal.out(script);
}

interface Surroundings {
  facts: Facts;
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  folder: string;
}

/** Prints one candidate on each line: a value, a tab, a description. */
export async function printCandidates(
  shell: string,
  words: readonly string[],
  around: Surroundings,
): Promise<void> {
  const typed = shell === "powershell" ? [...words.slice(0, -1), words.at(-1)?.slice(1) ?? ""] : words;
  const candidates = await complete(typed, around.facts, (what) => listOnServer(what, typed, around));
  const text = candidates
    .map(({ value, description }) => `${cleanText(value)}\t${cleanText(description)}\n`)
    .join("");
  around.terminal.out(text);
}

async function listOnServer(
  what: Listed,
  words: readonly string[],
  around: Surroundings,
): Promise<Candidate[]> {
  const valueOf = (name: string) => {
    const index = words.indexOf(name);
    return index < 0
      ? words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
      : words[index + 1];
  };
  const call: Invocation = {
    ...around,
    command: around.facts.commands[0]!,
    positionals: [],
    flags: { text: valueOf, texts: () => [], isSet: () => false },
  };
  const late = new Promise<Candidate[]>((resolve) => void setTimeout(resolve, PATIENCE_MS, []));
  return Promise.race([list(what, call), late]);
}

async function list(what: Listed, call: Invocation): Promise<Candidate[]> {
  const { api } = await openSession(call);
  const page = { pageSize: 100 };
  if (what === "projects")
    return (await api.projects.list(page)).projects.map(({ id, name }) => ({ value: id, description: name }));
  if (what === "tokens")
    return (await api.tokens.list(page)).tokens.map(({ id, name }) => ({ value: id, description: name }));
  if (what === "mirrors")
    return (await api.mirrors.list({})).credentials.map(({ host, username }) => ({
      value: host,
      description: username,
    }));
  return (await api.organizations.list(page)).organizations.map(({ id, name }) => ({
    value: name,
    description: id,
  }));
}
