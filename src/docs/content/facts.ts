import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as z from "zod";
import {
  cacheFactsSchema,
  envFactsSchema,
  limitFactsSchema,
  partFactsSchema,
  providerFactsSchema,
  runnerFactsSchema,
  setupFactsSchema,
} from "./fact-schemas.ts";
import { fillInstall } from "./install-places.ts";
import { readYaml } from "./read-yaml.ts";
import { apiErrorFactsSchema, apiFactsSchema, cliFactsSchema } from "./reference-schemas.ts";
import type { ContentProblem } from "./types.ts";

const FILES = {
  parts: partFactsSchema,
  cli: cliFactsSchema,
  api: apiFactsSchema,
  "api-errors": apiErrorFactsSchema,
  limits: limitFactsSchema,
  runners: runnerFactsSchema,
  cache: cacheFactsSchema,
  env: envFactsSchema,
  "server-variables": envFactsSchema,
  providers: providerFactsSchema,
  setup: setupFactsSchema,
};

export type Facts = { [Name in keyof typeof FILES]: z.infer<(typeof FILES)[Name]> };

export const noFacts: Facts = {
  parts: { parts: [] },
  cli: {
    install: {
      published: false,
      archive: "",
      npm: "",
      pnpm: "",
      yarn: "",
      npx: "",
      script: "",
      powershell: "",
    },
    globalFlags: [],
    commands: [],
    exitCodes: [],
  },
  api: { services: [] },
  "api-errors": { errors: [] },
  limits: { limits: [] },
  runners: { runners: [] },
  cache: { tools: [] },
  env: { variables: [] },
  "server-variables": { variables: [] },
  providers: { providers: [] },
  setup: { setup: [] },
};

export interface LoadedFacts {
  facts: Facts;
  problems: ContentProblem[];
}

/** The variables of all programs that read them. */
export const allVariables = (facts: Pick<Facts, "env" | "server-variables">) => [
  ...facts.env.variables,
  ...facts["server-variables"].variables,
];

/** Reads `content/facts/*.yaml` under `root`. A missing or malformed file is a problem and counts as empty. */
export function loadFacts(root: string): LoadedFacts {
  const facts: Facts = { ...noFacts };
  const problems: ContentProblem[] = [];
  // `FILES` and `Facts` have the same keys by construction; Object.keys loses that type.
  for (const name of Object.keys(FILES) as (keyof Facts)[]) {
    // The CLI's facts are read early, because other facts quote them.
    const read = readFacts(root, name, facts.cli);
    problems.push(...read.problems);
    if (read.data) Object.assign(facts, { [name]: read.data });
  }
  return { facts, problems };
}

function readFacts(
  root: string,
  name: keyof Facts,
  cli: Facts["cli"],
): { data?: unknown; problems: ContentProblem[] } {
  const file = `content/facts/${name}.yaml`;
  let source: string;
  try {
    source = readFileSync(join(root, file), "utf8");
  } catch {
    return {
      problems: [
        {
          file,
          line: 1,
          rule: "facts",
          severity: "error",
          message: "The file is missing.",
          fix: "Create it; src/docs/content/fact-schemas.ts shows its shape.",
        },
      ],
    };
  }
  return readYaml(file, fillInstall(source, cli.install), FILES[name], { rule: "facts" });
}
