/** The parts that run and those that do not run yet, according to `content/facts/parts.yaml`. */
import { consoleCommands } from "../blocks/code-block.ts";
import type { Facts } from "../facts/facts.ts";
import { restorePlaceholders } from "./placeholders.ts";
import type { Availability } from "../types.ts";

/**
 * @param part an id; "all" is a preview only while no part runs, because such a page marks each waiting part where it names
 *   it; "none", absent and unknown ids are available.
 */
export function availabilityOf(part: string | undefined, { parts: { parts } }: Facts): Availability {
  const named = part === "all" ? parts : parts.filter(({ id }) => id === part);
  const isWaiting = named.length > 0 && named.every(({ state }) => state === "preview");
  return isWaiting ? "preview" : "available";
}

/** Addresses of parts in samples. Addresses of the API are distinguished by their service. */
const ADDRESSES: [pattern: RegExp, part: string][] = [
  [/\{\{origin\}\}\/cache\//, "cache"],
  [/\{\{origin\}\}\/v2\/|(?<!\/)\{\{host\}\}(?:\/|(?= -u ))/, "registry"],
  [/\{\{origin\}\}\/api\//, "api"],
];

const SHELLS = new Set(["console", "bash", "sh"]);

/**
 * Whether a code block has a command that does not run yet: a CLI command, or a request to an address of a part.
 * Output and files are not examined: the text around a file explains its purpose.
 */
export function isPreviewSample(language: string | null | undefined, code: string, facts: Facts): boolean {
  if (!SHELLS.has(language ?? "")) return false;
  const source = restorePlaceholders(code);
  const commands = language === "console" ? consoleCommands(source).map(({ text }) => text) : [source];
  return commands.some((command) =>
    partsOfCommand(command, facts).some((part) => availabilityOf(part, facts) === "preview"),
  );
}

function partsOfCommand(command: string, { cli, api }: Facts): string[] {
  const called = [...command.matchAll(/(?<![\w./-])millrace(?:@[\w.]+)?(?= |$)(.*)/gm)].map(
    ([, words = ""]) => {
      // A command may be quoted, as in a variable.
      const text = /^ *([\w -]*)/.exec(words)?.[1]?.trim() ?? "";
      const known = cli.commands.find(({ name }) => `${text} `.startsWith(`${name} `));
      const { without, part = "cli" } = known ?? {};
      return without && !words.includes(without.flag) ? without.part : part;
    },
  );
  const services = api.services.filter(({ name }) => command.includes(`.${name}/`)).map(({ part }) => part);
  const asked = ADDRESSES.filter(([pattern]) => pattern.test(command)).map(([, part]) => part);
  return [...called, ...services, ...asked];
}
