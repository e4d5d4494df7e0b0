import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as z from "zod";
import {
  cacheFactsSchema,
  envFactsSchema,
  limitFactsSchema,
  notSupportedFactsSchema,
  partFactsSchema,
  providerFactsSchema,
  runnerFactsSchema,
  setupFactsSchema,
} from "./fact-schemas.ts";
import { fillPlaces } from "./fact-places.ts";
import { readYaml } from "../read-yaml.ts";
import {
  apiErrorFactsSchema,
  apiFactsSchema,
  cliFactsSchema,
  searchRouteFactsSchema,
} from "./reference-schemas.ts";
import type { ContentProblem } from "../types.ts";

/** In the order in which they are read: each may quote the cache's lists, and those after `cli` also the CLI's commands. */
const FILES = {
  cache: cacheFactsSchema,
  cli: cliFactsSchema,
  parts: partFactsSchema,
  api: apiFactsSchema,
  "api-errors": apiErrorFactsSchema,
  limits: limitFactsSchema,
  "not-supported": notSupportedFactsSchema,
  runners: runnerFactsSchema,
  env: envFactsSchema,
  "server-variables": envFactsSchema,
  "search-routes": searchRouteFactsSchema,
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
  "not-supported": { notSupported: [] },
  runners: { runners: [] },
  cache: { lists: {}, tools: [] },
  env: { variables: [] },
  "server-variables": { variables: [] },
  "search-routes": { routes: [] },
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
    const read = readFacts(root, name, facts);
    problems.push(...read.problems);
    if (read.data) Object.assign(facts, { [name]: read.data });
  }
  return { facts, problems };
}

function readFacts(
  root: string,
  name: keyof Facts,
  read: Facts,
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
          fix: "Create it; its schema in src/docs/content shows its shape.",
        },
      ],
    };
  }
  return readYaml(file, fillPlaces(source, read), FILES[name], { rule: "facts" });
}
