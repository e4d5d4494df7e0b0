/** Reads the inputs that a solve states. All of it comes from the client. */
import type { BuildInputs } from "../contract/builds.ts";
import { MAX_ARGUMENT_LENGTH, MAX_ARGUMENTS, MAX_ARGUMENTS_LENGTH } from "../contract/limits.ts";
import { MASKED } from "../masking/masker.ts";
import { hasCredentials, looksSecret, maskArguments } from "../masking/secret-arguments.ts";
import { cleanText } from "./end-build.ts";

export interface SolveInputs {
  inputs: BuildInputs;
  commitSha: string;
  withoutCache: string | null;
  secrets: readonly string[];
}

const ARGUMENT = "build-arg:";
const CONTEXT = "context:";

export function readInputs(frontend: string, attributes: Readonly<Record<string, string>>): SolveInputs {
  const { arguments: shown, secrets } = maskArguments(pick(attributes, ARGUMENT));
  const read = (name: string) => cleanText(attributes[name] ?? "").slice(0, MAX_ARGUMENT_LENGTH);
  const contexts = Object.entries(pick(attributes, CONTEXT)).slice(0, MAX_ARGUMENTS);
  return {
    // A step may print the address of its files.
    secrets: [
      ...secrets,
      ...[cleanText(attributes["context"] ?? ""), ...contexts.map(([, value]) => value)].filter(
        hasCredentials,
      ),
    ],
    commitSha: /^[0-9a-f]{7,64}/.exec(read("vcs:revision"))?.[0] ?? "",
    withoutCache: attributes["no-cache"] === undefined ? null : read("no-cache"),
    inputs: {
      frontend: cleanText(frontend).slice(0, MAX_ARGUMENT_LENGTH),
      dockerfile: read("filename") || "Dockerfile",
      target: read("target"),
      arguments: limitTexts(shown),
      context: kindOf(frontend, attributes["context"] ?? ""),
      namedContexts: limitTexts(
        Object.fromEntries(
          contexts.map(([name, value]) => [
            name.slice(0, MAX_ARGUMENT_LENGTH),
            looksSecret(name, value) ? MASKED : value.slice(0, MAX_ARGUMENT_LENGTH),
          ]),
        ),
      ),
    },
  };
}

/**
 * Merges the inputs of one build: buildx and buildctl solve without a frontend, and call theirs within the solve, once or several
 * times. The last frontend counts; arguments and contexts of all are kept.
 */
export function mergeInputs(known: BuildInputs | null, said: BuildInputs): BuildInputs {
  if (!known) return said;
  const { frontend, dockerfile, target, context } = said.frontend === "" ? known : said;
  return {
    frontend,
    dockerfile,
    target,
    context,
    arguments: mergeTexts(known.arguments, said.arguments),
    namedContexts: mergeTexts(known.namedContexts, said.namedContexts),
  };
}

type Texts = Readonly<Record<string, string>>;

const mergeTexts = (known: Texts, said: Texts): Texts => limitTexts({ ...known, ...said });

function limitTexts(texts: Texts): Record<string, string> {
  let left = MAX_ARGUMENTS_LENGTH;
  const kept = Object.entries(texts)
    .slice(0, MAX_ARGUMENTS)
    .filter(([name, text]) => (left -= name.length + text.length) >= 0);
  return Object.fromEntries(kept);
}

function pick(attributes: Readonly<Record<string, string>>, prefix: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith(prefix)) found[cleanText(name.slice(prefix.length))] = cleanText(value);
  return found;
}

function kindOf(frontend: string, context: string): BuildInputs["context"] {
  if (frontend === "") return "none";
  if (context === "") return "local";
  if (/^git@|^git:|\.git(?:#|$)/.test(context)) return "git";
  return /^https?:/.test(context) ? "http" : "local";
}
