import type { Facts } from "../facts/facts.ts";
import { didYouMean } from "../problem.ts";
import type { ContentProblem, Page } from "../types.ts";

/** Every named part must be in `content/facts/parts.yaml`, and the pages of all parts must exist. */
export function checkParts(pages: readonly Page[], facts: Facts): ContentProblem[] {
  const { cli, api, env, cache, providers } = facts;
  const paths = pages.map(({ path }) => path);
  const named: Named[] = [
    ...pages.map(({ file, part }) => ({ file, what: "The page", part, known: ["all", "none"] })),
    ...cli.commands.flatMap(({ name, part, without }) =>
      [part, without?.part ?? part].map((each) => inFacts("cli", `\`${name}\``, each)),
    ),
    ...api.services.map(({ name, part }) => inFacts("api", name, part)),
    ...env.variables.map(({ name, part }) => inFacts("env", name, part)),
    ...cache.tools.map(({ name, part }) => inFacts("cache", name, part)),
    ...providers.providers.map(({ name, part }) => inFacts("providers", name, part)),
  ];
  const lost = facts.parts.parts.filter(({ page }) => !paths.includes(page));
  return [
    ...named.flatMap((one) => problemOf(one, facts)),
    ...lost.map(({ id, page }) => ({
      ...problem("content/facts/parts.yaml", `There is no page ${page}.${didYouMean(page, paths)}`),
      fix: `${id}: page: /docs/…, the page where readers first meet the part`,
    })),
  ];
}

interface Named {
  file: string;
  what: string;
  part: string | undefined;
  /** Other allowed values. */
  known?: string[];
}

function inFacts(name: string, what: string, part: string | undefined): Named {
  return { file: `content/facts/${name}.yaml`, what, part };
}

function problemOf({ file, what, part, known = [] }: Named, { parts: { parts } }: Facts): ContentProblem[] {
  const ids = [...parts.map(({ id }) => id), ...known];
  // If there are no parts, the file is missing, which is reported elsewhere.
  if (part === undefined || parts.length === 0 || ids.includes(part)) return [];
  return [problem(file, `${what} names the part "${part}", which does not exist.${didYouMean(part, ids)}`)];
}

function problem(file: string, message: string): ContentProblem {
  const fix = "part: cache # an id of content/facts/parts.yaml";
  return { file, line: 1, rule: "part", severity: "error", message, fix };
}
