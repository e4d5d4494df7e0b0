/** Reads the commands from the facts of the documentation, for the build and the tests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Command, Facts } from "./src/facts.ts";

const FACTS_FOLDER = join(import.meta.dirname, "..", "content", "facts");

/** The facts with descriptions as plain text: Markdown is for the reference page. */
export function readFacts(): Facts {
  const readText = (file: string) => readFileSync(join(FACTS_FOLDER, file), "utf8");
  // All files are checked against their schemas by the check "content".
  const { lists } = parse(readText("cache.yaml")) as { lists: Record<string, string> };
  const read = (file: string): unknown =>
    parse(readText(file).replaceAll(/\{\{cache:(\w+)\}\}/g, (place, name: string) => lists[name] ?? place));
  const { install: _, ...cli } = plainTexts(read("cli.yaml")) as Omit<Facts, "parts"> & { install: object };
  const { parts } = read("parts.yaml") as { parts: { id: string; name: string }[] };
  return {
    ...cli,
    commands: cli.commands.map((command): Command => {
      return {
        ...command,
        arguments: command.arguments ?? [],
        flags: command.flags ?? [],
        examples: command.examples ?? [],
      };
    }),
    parts: Object.fromEntries(parts.map(({ id, name }) => [id, inSentence(name)])),
  };
}

/** "Container builds" → "container builds", but "CI runners" and "API". */
function inSentence(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name;
}

function plainTexts(value: unknown): unknown {
  if (typeof value === "string")
    return value
      .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
      .replaceAll("`", "")
      .replaceAll("{{host}}", "<host>");
  if (Array.isArray(value)) return value.map(plainTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainTexts(member)]));
}
