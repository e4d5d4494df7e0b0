/**
 * Edits of the repository's files as text, so that comments, order and layout stay as their authors left them. Each takes
 * the file's text and returns the new one. @throws EditError with words for the operator
 */
import { parse } from "yaml";

export class EditError extends Error {}

/** Adds a group of words that mean the same to `search.synonyms` of `site.config.ts`. */
export function addSynonyms(config: string, words: readonly string[]): string {
  const list = /^( *)synonyms: \[(.*?)^\1\],$/ms.exec(config) ?? /^( *)synonyms: \[()\],$/m.exec(config);
  if (!list) throw new EditError("site.config.ts has no list `synonyms: […]` to add to.");
  const [block, indent = "", groups = ""] = list;
  const wanted = words.map((word) => word.toLowerCase());
  for (const [group] of groups.matchAll(/\[[^[\]]*\]/g)) {
    const known = readGroup(group);
    if (wanted.every((word) => known.includes(word)))
      throw new EditError(`These words are synonyms already: ${known.join(", ")}.`);
  }
  const line = `${indent}  [${words.map((word) => JSON.stringify(word)).join(", ")}],\n`;
  const body = groups === "" ? "\n" : groups;
  return config.replace(block, () => `${indent}synonyms: [${body}${line}${indent}],`);
}

/** YAML's flow lists are TypeScript's lists of texts. */
function readGroup(group: string): string[] {
  const words: unknown = parse(group);
  return Array.isArray(words) ? words.map((word) => String(word).toLowerCase()) : [];
}

export const ranks = { 1: "first", 3: "top3", 5: "top5" } as const;

/** Adds a question to a file of `tests/relevance/`. @param path with the anchor, where a section is the answer */
export function addRelevanceTest(
  yaml: string,
  path: string,
  query: string,
  within: keyof typeof ranks,
): string {
  const rank = ranks[within];
  const lines = `${yaml.trimEnd()}\n`.split("\n");
  const asked: unknown = parse(yaml);
  const known = (asked as { [path: string]: { [rank: string]: unknown[] } } | null)?.[path];
  const isAsked = Object.values(known ?? {}).some((questions) =>
    questions.some(
      (one) => (typeof one === "object" && one !== null && "query" in one ? one.query : one) === query,
    ),
  );
  if (isAsked) throw new EditError(`The test asks "${query}" for ${path} already.`);
  const item = `    - ${scalar(query)}`;
  const start = lines.indexOf(`${path}:`);
  if (start === -1) return [...lines.slice(0, -1), "", `${path}:`, `  ${rank}:`, item, ""].join("\n");
  let end = start + 1;
  while (end < lines.length && (lines[end] ?? "").startsWith(" ")) end += 1;
  let place = lines.findIndex((line, index) => index > start && index < end && line === `  ${rank}:`);
  if (place === -1) {
    lines.splice(end, 0, `  ${rank}:`, item);
    return lines.join("\n");
  }
  place += 1;
  while (place < end && /^ {4}/.test(lines[place] ?? "")) place += 1;
  lines.splice(place, 0, item);
  return lines.join("\n");
}

/** As it is where YAML reads it as the same text, otherwise in quotes. */
function scalar(text: string): string {
  if (!/^[A-Za-z][\w /.'-]*$/.test(text) || text.endsWith(" ")) return JSON.stringify(text);
  return parse(text) === text ? text : JSON.stringify(text);
}

/** Adds words to `keywords` in a page's front matter: the page is found by them as by its title. */
export function addKeyword(mdx: string, keyword: string): string {
  const head = /^---\n(.*?)^---$/ms.exec(mdx);
  if (!head) throw new EditError("The page has no front matter.");
  const [block, yaml = ""] = head;
  const data = parse(yaml) as { keywords?: unknown } | null;
  const known = Array.isArray(data?.keywords) ? data.keywords.map(String) : [];
  if (known.some((word) => word.toLowerCase() === keyword.toLowerCase()))
    throw new EditError(`"${keyword}" is one of the page's keywords already.`);
  const line = `keywords: [${[...known, keyword].map((word) => JSON.stringify(word)).join(", ")}]\n`;
  // The key with its value, on its line or on the indented ones below it.
  const former = /^keywords:.*\n(?:(?:[ -]).*\n)*/m;
  const next = former.test(yaml) ? yaml.replace(former, () => line) : `${yaml}${line}`;
  return mdx.replace(block, () => `---\n${next}---`);
}
