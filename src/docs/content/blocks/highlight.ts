/**
 * Code → lines of tokens. Uses Shiki's grammars, loaded one by one when a page needs them, with a theme whose "colours" stand
 * for the design's six token classes: one rendering works for both themes of the site and has no inline styles.
 */
import { createHighlighterCore, type HighlighterCore, type ThemeRegistrationRaw } from "shiki/core";
import { createOnigurumaEngine } from "shiki/engine/oniguruma";
import { bundledLanguages, type BundledLanguage } from "shiki/langs";

/** Key or keyword, string, number or flag, comment, punctuation, function or command; null for plain text. */
export type TokenClass = "t-k" | "t-s" | "t-n" | "t-c" | "t-p" | "t-f" | null;

export interface Token {
  text: string;
  class: TokenClass;
}

const SCOPES: [Exclude<TokenClass, null>, string[]][] = [
  ["t-c", ["comment", "punctuation.definition.comment"]],
  ["t-s", ["string", "punctuation.definition.string", "markup.inline.raw", "constant.other.symbol"]],
  [
    "t-n",
    [
      "constant.numeric",
      "constant.language",
      "constant.character",
      "constant.other.option",
      "variable.other.normal.shell",
      "variable.parameter.positional.shell",
      "variable.language.special.shell",
      "punctuation.definition.variable",
      "variable.other.constant.ruby",
    ],
  ],
  [
    "t-k",
    [
      "keyword",
      "storage.type",
      "storage.modifier",
      "entity.name.tag",
      "entity.name.section",
      "support.type.property-name",
      "punctuation.support.type.property-name",
      "variable.other.key",
      "markup.heading",
      "entity.other.attribute-name.table",
    ],
  ],
  ["t-p", ["punctuation", "keyword.operator", "meta.brace", "punctuation.definition.tag"]],
  ["t-f", ["entity.name.function", "support.function", "entity.name.command", "entity.other.attribute-name"]],
];

/** Scopes that a grammar classifies as strings but that read as plain text. */
const PLAIN_SCOPES = [
  "string.unquoted.argument.shell",
  "string.unquoted.argument",
  "storage.type.java",
  "storage.type.go",
];

const CLASSES: TokenClass[] = [null, ...SCOPES.map(([name]) => name)];
const colour = (index: number) => `#00000${index}`;

const THEME: ThemeRegistrationRaw = {
  name: "token-classes",
  type: "light",
  settings: [
    { settings: { foreground: colour(0), background: "#ffffff" } },
    ...SCOPES.map(([, scope], index) => ({ scope, settings: { foreground: colour(index + 1) } })),
    { scope: PLAIN_SCOPES, settings: { foreground: colour(0) } },
  ],
};

let highlighter: Promise<HighlighterCore> | undefined;

/** Names for plain text, and languages that look better when highlighted as another language. */
const ALIASES: Record<string, string> = {
  text: "text",
  txt: "text",
  plain: "text",
  gitignore: "text",
  dockerignore: "text",
  starlark: "python",
  bazelrc: "bash",
  netrc: "text",
};

export function isKnownLanguage(language: string): boolean {
  return Object.hasOwn(ALIASES, language) || Object.hasOwn(bundledLanguages, language);
}

export function knownLanguages(): string[] {
  return [...Object.keys(ALIASES), ...Object.keys(bundledLanguages)];
}

/** Tokens by line; neighbours of the same class are one token. An unknown language gives plain text. */
export async function highlight(code: string, language: string): Promise<Token[][]> {
  const name = ALIASES[language] ?? language;
  if (name === "text" || !isBundled(name)) {
    return code.split("\n").map((line) => (line === "" ? [] : [{ text: line, class: null }]));
  }
  highlighter ??= createHighlighterCore({
    themes: [THEME],
    langs: [],
    engine: createOnigurumaEngine(import("shiki/wasm")),
  });
  const shiki = await highlighter;
  await shiki.loadLanguage(bundledLanguages[name]);
  // Without a time limit: on a busy machine, Shiki would leave a line half marked, and each build would be another.
  const options = { lang: name, theme: "token-classes", tokenizeTimeLimit: 0 };
  const lines = shiki.codeToTokensBase(code, options);
  return lines.map((line) =>
    mergeTokens(line.map(({ content, color }) => ({ text: content, class: classOf(color) }))),
  );
}

function isBundled(name: string): name is BundledLanguage {
  return Object.hasOwn(bundledLanguages, name);
}

function classOf(color: string | undefined): TokenClass {
  return CLASSES[Number(color?.at(-1) ?? 0)] ?? null;
}

/** Joins neighbours of the same class, also across white space, which has no colour. */
export function mergeTokens(tokens: Token[]): Token[] {
  const merged: Token[] = [];
  for (const token of tokens) {
    const isBlank = token.text.trim() === "";
    const last = merged.at(-1);
    const beforeLast = merged.at(-2);
    if (last && (last.class === token.class || (isBlank && last.class === null))) {
      last.text += token.text;
    } else if (last && beforeLast && last.text.trim() === "" && beforeLast.class === token.class) {
      beforeLast.text += last.text + token.text;
      merged.pop();
    } else {
      merged.push({ text: token.text, class: isBlank ? null : token.class });
    }
  }
  return merged;
}
