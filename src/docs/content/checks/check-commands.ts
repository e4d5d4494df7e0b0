import type { Command } from "../facts/reference-schemas.ts";
import type { Facts } from "../facts/facts.ts";
import { didYouMean, nearest } from "../problem.ts";
import type { ContentProblem, Page, Sample } from "../types.ts";
import { readShell, type ShellCommand } from "./shell-commands.ts";
import { shellSources } from "./shell-sources.ts";

type Cli = Facts["cli"];

/**
 * Every `millrace` command and its flags must be in `content/facts/cli.yaml`: in shell text of any sample, CI files and
 * Dockerfiles included, and in sentences.
 */
export function checkCommands(pages: readonly Page[], cli: Cli): ContentProblem[] {
  if (cli.commands.length === 0) return [];
  return pages.flatMap((page) =>
    page.samples.flatMap((sample) =>
      commandsOf(sample).flatMap(({ words, line }): ContentProblem[] =>
        checkCommand(words, cli).map(({ message, fix }) => {
          return { file: page.file, line, rule: "command", severity: "error", message, fix };
        }),
      ),
    ),
  );
}

/** Lines are counted in the page's file. */
function commandsOf(sample: Sample): ShellCommand[] {
  const inSentence = { text: sample.code, line: sample.line };
  const sources = sample.language === "inline" ? [inSentence] : shellSources(sample);
  return sources.flatMap((source) =>
    readShell(source.text).commands.map(({ words, line }) => ({ words, line: source.line + line - 1 })),
  );
}

interface Finding {
  message: string;
  fix: string;
}

/** @param words of one shell command */
function checkCommand(words: readonly string[], cli: Cli): Finding[] {
  const start = words.findIndex(
    (word, at) =>
      !/^\w+=|^(npx|sudo|exec|time|env)$|^-y$|^--(yes|no|package)$/.test(word) &&
      words[at - 1] !== "--package",
  );
  if (!/^millrace(@[\w.-]+)?$/.test(words[start] ?? "")) return [];
  const given = words.slice(start + 1);
  const name = given.findIndex((word) => /^[-<[…>]|^\.\.\.$/.test(word));
  const plain = name < 0 ? given : given.slice(0, name);
  const command = [3, 2, 1]
    .map((length) => findCommand(plain.slice(0, length), cli))
    .find((candidate) => candidate !== undefined);
  if (!command) return plain.length === 0 ? [] : [unknownCommand(plain, cli)];
  return checkFlags(given, command, cli);
}

function findCommand(words: readonly string[], { commands }: Cli): Command | undefined {
  const name = words.join(" ");
  return commands.find((command) => command.name === name || command.aliases.includes(name));
}

function unknownCommand(plain: readonly string[], { commands }: Cli): Finding {
  // In a sentence, a group ("builds") alone stands for all its commands.
  const [first = ""] = plain;
  const group = commands.filter((command) => command.name.startsWith(`${first} `)).map(({ name }) => name);
  if (group.length > 0) {
    const second = plain[1] === undefined ? "" : ` "${plain[1]}"`;
    return {
      message: `\`millrace ${first}\` has no command${second}.`,
      fix: group.map((name) => `millrace ${name}`).join("\n"),
    };
  }
  const near = nearest(
    first,
    commands.map(({ name }) => name),
  );
  const fix = near === undefined ? "content/facts/cli.yaml lists the commands." : `millrace ${near}`;
  return { message: `There is no command \`millrace ${plain.slice(0, 2).join(" ")}\`.`, fix };
}

function checkFlags(given: readonly string[], command: Command, cli: Cli): Finding[] {
  const flags = [...command.flags, ...cli.globalFlags];
  const docker = dockerFlags(command.passthrough);
  if (command.passthrough !== undefined && !docker) return [];
  const long = [...flags.map(({ name }) => name), "--help", "--version", ...(docker?.long ?? [])];
  const short = [...flags.flatMap(({ short: letter }) => letter ?? []), "-h", ...(docker?.short ?? [])];
  const end = given.indexOf("--");
  const written = given.slice(0, end < 0 ? given.length : end).filter((word) => /^--?[A-Za-z]/.test(word));
  return written.flatMap((word): Finding[] => {
    const name = word.split("=")[0] ?? word;
    const isKnown = name.startsWith("--")
      ? long.includes(name)
      : short.some((letter) => name.startsWith(letter));
    if (isKnown) return [];
    const hint = didYouMean(name, name.startsWith("--") ? long : short);
    const near = nearest(name, long);
    return [
      {
        message: `\`millrace ${command.name}\` has no flag ${name}.${hint}`,
        fix: near === undefined ? command.synopsis : `millrace ${command.name} ${near}`,
      },
    ];
  });
}

/** Flags of `docker buildx build` and `docker buildx bake`, Docker Buildx 0.30. */
const BUILDX_FLAGS: Record<string, { long: string[]; short: string[] }> = {
  "docker buildx build": {
    long: [
      ..."--add-host --allow --annotation --attest --build-arg --build-context --builder --cache-from --cache-to".split(
        " ",
      ),
      ..."--call --cgroup-parent --check --debug --file --iidfile --label --load --metadata-file --network".split(
        " ",
      ),
      ..."--no-cache --no-cache-filter --output --platform --policy --progress --provenance --pull --push".split(
        " ",
      ),
      ..."--quiet --sbom --secret --shm-size --ssh --tag --target --ulimit".split(" "),
    ],
    short: ["-D", "-f", "-o", "-q", "-t"],
  },
  "docker buildx bake": {
    long: [
      ..."--allow --builder --call --check --debug --file --list --load --metadata-file --no-cache --print".split(
        " ",
      ),
      ..."--progress --provenance --pull --push --sbom --set --var".split(" "),
    ],
    short: ["-D", "-f"],
  },
};

/** @returns undefined if the command passes its flags on to a program whose flags are unknown here */
function dockerFlags(passthrough: string | undefined): { long: string[]; short: string[] } | undefined {
  return passthrough === undefined ? undefined : BUILDX_FLAGS[passthrough];
}
