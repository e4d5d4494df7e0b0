/**
 * The words of the glossary. In an article, the first mention of each word in a section becomes a link to its definition,
 * whose first paragraph the site shows at the word itself (`src/site/docs/late/term/`).
 */
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import type { Page } from "../types.ts";

/** The page with the definitions, each below its own heading. */
const GLOSSARY_PAGE = "/docs/core-concepts";

/** Anchor of the definition → the word in the text. */
const WORDS: Readonly<Record<string, string>> = {
  "trust-relationship": "trust relationships?",
  "cache-namespace": "cache namespaces?",
  organization: "organizations?",
  project: "projects?",
  builder: "builders?",
  // Otherwise it is the verb, or part of a longer name ("build context").
  build:
    "(?<=\\b(?:an?|the|each|every|one|another|this|that|no|first|last|next|failed|saved|running) )builds?" +
    "(?=[.,;:)’']|$| (?:that|which|is|was|has|of|in|on|and|or|from|with|without|runs|ran|needs|can|ends|starts|waits|fails|failed|does|did|to|as|at|for|when)\\b)",
  image: "images?",
  runner: "runners?",
  sandbox: "sandbox(?:es)?",
  session: "sessions?",
  token: "tokens?",
};

const IDS = Object.keys(WORDS);

/** After one of these, the word belongs to another product. */
const FOREIGN =
  "GitHub|GitLab|Docker|OIDC|ID|JWT|AWS|Vercel|CircleCI|Buildkite|Kubernetes|Gradle|Maven|Go|Bazel|Rust|Java|Node|npm|Pants|moon|Compose|" +
  "buildx|base|test|hosted|sticky|account|tenant|git|Git|provider's|access|refresh|bearer|GitHub's|SSH|PostgreSQL";

const pattern = new RegExp(
  `(?<![\\w./{-]|\\b(?:${FOREIGN}) )(?:${Object.values(WORDS)
    .map((word) => `(${word})`)
    .join("|")})(?![\\w/-]|\\.\\w| Manager)`,
  "gi",
);

/** Elements in which a word is not prose, or is already a link. */
const SKIPPED = new Set([
  "a",
  "code",
  "pre",
  "h2",
  "h3",
  "h4",
  "table",
  "figcaption",
  "button",
  "summary",
  "svg",
]);

/** @param path of the page; the glossary's own page is not marked. */
export function markTerms(root: Root, path: string): void {
  if (path !== GLOSSARY_PAGE) markIn(root, new Set());
}

function markIn(node: Root | Element, seen: Set<string>): void {
  node.children = node.children.flatMap((child): Root["children"] => {
    if (child.type === "text") return markText(child.value, seen);
    if (child.type !== "element") return [child];
    if (child.tagName === "h2") seen.clear();
    if (!SKIPPED.has(child.tagName)) markIn(child, seen);
    return [child];
  }) as ElementContent[]; // elements and text, as before
}

function markText(text: string, seen: Set<string>): ElementContent[] {
  const parts: ElementContent[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const id = IDS[match.slice(1).findIndex((word) => word !== undefined)];
    if (id === undefined || seen.has(id)) continue;
    seen.add(id);
    const href = `${GLOSSARY_PAGE}#${id}`;
    const link = h("a", { href, dataHover: "term" }, match[0]);
    parts.push({ type: "text", value: text.slice(end, match.index) }, link);
    end = match.index + match[0].length;
  }
  return [...parts, { type: "text" as const, value: text.slice(end) }].filter(
    (part) => part.type !== "text" || part.value !== "",
  );
}

/** Anchor → the text shown at the word. */
export type Glossary = Record<string, { title: string; text: string }>;

/** @throws if the page does not define a word, so that no link leads nowhere */
export function glossaryOf(pages: readonly Page[]): Glossary {
  const page = pages.find(({ path }) => path === GLOSSARY_PAGE);
  const entries = IDS.map((id) => {
    const at = page?.blocks.findIndex((block) => block.kind === "heading" && block.id === id) ?? -1;
    const [heading, definition] = page?.blocks.slice(at, at + 2) ?? [];
    if (at < 0 || heading?.kind !== "heading" || definition?.kind !== "paragraph")
      throw new Error(
        `${GLOSSARY_PAGE} has no definition under "#${id}". Add a heading with this anchor and a paragraph below it, or remove the word from src/docs/content/words/glossary.ts.`,
      );
    return [id, { title: heading.text, text: definition.text }] as const;
  });
  return Object.fromEntries(entries);
}
