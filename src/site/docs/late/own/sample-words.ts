/**
 * Finds the sample words of the documentation in a text, and what a reader's own words for them are:
 *
 *   in    docker push millrace.example.com/acme/web:1.4      with organization "initech" and project "site"
 *   out   docker push millrace.example.com/initech/site:1.4
 *
 * The same name elsewhere is someone else's: `ghcr.io/acme/web`, `github:acme/web` and `acme.example` stay. A page that
 * names several projects tells a story about them, so its projects stay as well.
 */

/** The organization of all samples. */
const SAMPLE = "acme";

export interface OwnNames {
  /** `millrace.example.com`, the host of image names. */
  host: string;
  /** Its name. */
  organization: string;
  /** Null: the organization has no project, and samples keep theirs. */
  project: { id: string; name: string } | null;
}

/** A piece of a text to replace. */
export interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** Which of a page's projects is the only one, by id and by image name; null if there are several, or none. */
export interface PageWords {
  projectId: string | null;
  repository: string | null;
}

/**
 * The names that a server accepts. Nothing else is ever written into a sample, where a reader's shell would run it.
 * They contain neither spaces, quotes nor any character with a meaning to a shell, YAML, TOML or JSON.
 */
const NAME = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;
const PROJECT_ID = /^prj_[a-z0-9]{10}$/;
const MAX_NAME_LENGTH = 63;

const PROJECT_IDS = /\bprj_[a-z0-9]{10}\b/g;

/** Where `acme` is the organization on this server. The group `name` is the word. */
const ORGANIZATION_PLACES = [
  // "logged in as ada, organization acme", "orgs switch acme", "--org acme"
  String.raw`(?:\borganization |\borgs (?:switch|show) |--org[ =])(?<name>acme)(?![\w.-])`,
  // MILLRACE_ORG=acme, Millrace-Org: 'acme', "millrace-org" = "acme", TURBO_TEAM: acme, "organization": "acme"
  String.raw`(?:millrace[_-]org|\bTURBO_TEAM|"organization")["']?\s{0,4}[:=]\s{0,4}["']?(?<name>acme)(?![\w.-])`,
  // "ada (owner) in acme at https://…"
  String.raw`\) in (?<name>acme)(?= at https?:)`,
];

export const isSafeName = (name: string) => name.length <= MAX_NAME_LENGTH && NAME.test(name);
const isProjectId = (id: string) => PROJECT_ID.test(id);

/** @param texts all samples of a page @param host of this server */
export function readPageWords(texts: readonly string[], host: string): PageWords {
  const ids = new Set<string>();
  const repositories = new Set<string>();
  for (const text of texts) {
    for (const [id] of text.matchAll(PROJECT_IDS)) ids.add(id);
    for (const match of text.matchAll(repositoryPattern(host)))
      repositories.add(match.groups!["repository"]!);
  }
  return { projectId: onlyOne(ids), repository: onlyOne(repositories) };
}

/** @returns from the beginning of the text to its end, without overlaps */
export function findSampleWords(text: string, page: PageWords, names: OwnNames): Replacement[] {
  const { host, organization, project } = names;
  const found: Replacement[] = [];
  const replace = (match: RegExpExecArray, group: string, own: string) => {
    const range = match.indices?.groups?.[group];
    if (range && match.groups?.[group] !== own) found.push({ start: range[0], end: range[1], text: own });
  };
  const ownProject = project && isProjectId(project.id) && isSafeName(project.name) ? project : null;
  if (isSafeName(organization))
    for (const source of ORGANIZATION_PLACES)
      for (const match of text.matchAll(new RegExp(source, "dgi"))) replace(match, "name", organization);
  for (const match of text.matchAll(imagePattern(host))) {
    if (isSafeName(organization)) replace(match, "name", organization);
    const { repository } = match.groups!;
    if (ownProject && repository && repository === page.repository)
      replace(match, "repository", ownProject.name);
  }
  if (ownProject && page.projectId)
    for (const match of text.matchAll(/\b(?<id>prj_[a-z0-9]{10})\b/dg)) replace(match, "id", ownProject.id);
  return found.sort((a, b) => a.start - b.start);
}

export function replaceAll(text: string, replacements: readonly Replacement[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text: own } of replacements) {
    result += text.slice(at, start) + own;
    at = end;
  }
  return result + text.slice(at);
}

/** `host/acme`, `host/acme/web`. Host names have no character with a meaning in an expression except the dot and brackets. */
const imagePattern = (host: string) =>
  new RegExp(
    String.raw`(?<![\w.-])${escapeText(host)}/(?<name>${SAMPLE})(?![\w.-])(?:/(?<repository>[a-z0-9][a-z0-9._-]{0,62}))?`,
    "dg",
  );

const repositoryPattern = (host: string) =>
  new RegExp(
    String.raw`(?<![\w.-])${escapeText(host)}/${SAMPLE}/(?<repository>[a-z0-9][a-z0-9._-]{0,62})`,
    "g",
  );

const escapeText = (text: string) => text.replace(/[^\w-]/g, String.raw`\$&`);

function onlyOne(words: ReadonlySet<string>): string | null {
  const [first] = words;
  return words.size === 1 && first !== undefined ? first : null;
}
