import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlias, LineCounter, parseDocument } from "yaml";
import type * as z from "zod";
import {
  apiFactsSchema,
  cacheFactsSchema,
  cliFactsSchema,
  envFactsSchema,
  limitFactsSchema,
  providerFactsSchema,
  runnerFactsSchema,
} from "./fact-schemas.ts";
import type { ContentProblem } from "./types.ts";

const files = {
  cli: cliFactsSchema,
  api: apiFactsSchema,
  limits: limitFactsSchema,
  runners: runnerFactsSchema,
  cache: cacheFactsSchema,
  env: envFactsSchema,
  providers: providerFactsSchema,
};

export type Facts = { [Name in keyof typeof files]: z.infer<(typeof files)[Name]> };

export const noFacts: Facts = {
  cli: { globalFlags: [], commands: [], exitCodes: [] },
  api: { services: [], errors: [] },
  limits: { limits: [] },
  runners: { runners: [] },
  cache: { tools: [] },
  env: { variables: [] },
  providers: { providers: [] },
};

export interface LoadedFacts {
  facts: Facts;
  problems: ContentProblem[];
}

/** Reads `content/facts/*.yaml` under `root`. A file that is missing or wrong is a problem and counts as empty. */
export function loadFacts(root: string): LoadedFacts {
  const facts: Facts = { ...noFacts };
  const problems: ContentProblem[] = [];
  // The keys of `files` and of `Facts` are the same by construction; Object.keys forgets it.
  for (const name of Object.keys(files) as (keyof Facts)[]) {
    const read = readFacts(root, name);
    problems.push(...read.problems);
    if (read.data) Object.assign(facts, { [name]: read.data });
  }
  return { facts, problems };
}

function readFacts(root: string, name: keyof Facts): { data?: unknown; problems: ContentProblem[] } {
  const file = `content/facts/${name}.yaml`;
  const problem = (line: number, message: string, fix: string): ContentProblem => {
    return { file, line, rule: "facts", severity: "error", message, fix };
  };
  let source: string;
  try {
    source = readFileSync(join(root, file), "utf8");
  } catch {
    return {
      problems: [
        problem(1, "The file is missing.", `Create it; src/content/fact-schemas.ts shows its shape.`),
      ],
    };
  }
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const lineOf = (offset: number) => lines.linePos(offset).line;
  if (document.errors.length > 0) {
    return {
      problems: document.errors.map((error) =>
        problem(
          lineOf(error.pos[0]),
          `Not YAML: ${error.message.split("\n")[0] ?? ""}`,
          sourceLine(source, lineOf(error.pos[0])),
        ),
      ),
    };
  }
  const result = files[name].safeParse(document.toJS());
  if (result.success) return { data: result.data, problems: [] };
  return {
    problems: result.error.issues.map((issue) => {
      const line = lineOf(offsetOfPath(document, issue.path) ?? 0);
      return problem(line, `${issue.path.join(".")}: ${issue.message}`, sourceLine(source, line));
    }),
  };
}

function sourceLine(source: string, line: number): string {
  return source.split("\n")[line - 1]?.trim() ?? "";
}

/** Where the deepest existing node of the path starts. */
function offsetOfPath(document: ReturnType<typeof parseDocument>, path: PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (node && typeof node === "object" && "range" in node && !isAlias(node)) {
      const range: unknown = node.range;
      if (Array.isArray(range) && typeof range[0] === "number") return range[0];
    }
  }
  return undefined;
}
