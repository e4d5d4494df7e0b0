/**
 * The ids in samples must be consistent. A build belongs to one project, on every page: to the only project that a page or a
 * sample names, or to the project in its image's address. A page must show a token before it revokes it.
 */
import type { ContentProblem, Page } from "../types.ts";

const BUILD = /\bbld_[a-z0-9]{10}\b/g;
const PROJECT = /\bprj_[a-z0-9]{10}\b/g;
const SAVED_IMAGE = /\/([\w-]{1,64}):(bld_[a-z0-9]{10})\b/g;
const REVOKED = /\btokens revoke (tok_[a-z0-9]{10})\b/g;

export function checkIds(pages: readonly Page[]): ContentProblem[] {
  return [...checkBuilds(pages), ...pages.flatMap(checkTokens)];
}

interface Claim {
  build: string;
  /** An id or a name: a build has one of each. */
  project: string;
}

function checkBuilds(pages: readonly Page[]): ContentProblem[] {
  const owners = new Map<string, { project: string; file: string }>();
  return pages.flatMap((page) =>
    claimsOf(page).flatMap((claim): ContentProblem[] => {
      const key = `${claim.build} ${claim.project.startsWith("prj_") ? "id" : "name"}`;
      const owner = owners.get(key);
      if (!owner) owners.set(key, { project: claim.project, file: page.file });
      if (!owner || owner.project === claim.project) return [];
      const message = `${claim.build} belongs to ${owner.project} in ${owner.file}, and to ${claim.project} here.`;
      return [problem(page, claim.build, message, "bld_<another id>")];
    }),
  );
}

function claimsOf({ markdown, samples }: Page): Claim[] {
  const inTexts = [markdown, ...samples.map(({ code }) => code)].flatMap((text) => {
    const [only, ...others] = new Set(text.match(PROJECT));
    if (only === undefined || others.length > 0) return [];
    return [...new Set(text.match(BUILD))].map((one) => ({ build: one, project: only }));
  });
  const inAddresses = [...markdown.matchAll(SAVED_IMAGE)].flatMap(([, name, one]) =>
    name !== undefined && one !== undefined ? [{ build: one, project: name }] : [],
  );
  const all = [...inTexts, ...inAddresses];
  return [...new Map(all.map((claim) => [`${claim.build} ${claim.project}`, claim])).values()];
}

function checkTokens(page: Page): ContentProblem[] {
  return [...page.markdown.matchAll(REVOKED)].flatMap(([, token], at, all) => {
    const command = all[at]?.index ?? 0;
    if (token === undefined || page.markdown.slice(0, command).includes(token)) return [];
    const message = `The page revokes ${token} without showing first what token that is.`;
    return [problem(page, token, message, "Show the id where the page creates the token.")];
  });
}

function problem(page: Page, id: string, message: string, fix: string): ContentProblem {
  const sample = page.samples.find(({ code }) => code.includes(id));
  const line = sample
    ? sample.line + sample.code.slice(0, sample.code.indexOf(id)).split("\n").length - 1
    : 1;
  return { file: page.file, line, rule: "ids", severity: "error", message, fix };
}
