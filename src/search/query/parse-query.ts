/**
 * A reader's text → words, phrases and exclusions.
 *
 *   cach -redis "warm builder" docker-bake
 *   words     cach  warm builder  docker bake     the last one may be unfinished
 *   phrases   [warm builder]                      must occur together
 *   excluded  [redis]                             must not occur anywhere
 */
import { MAX_QUERY_CHARACTERS, MAX_QUERY_CONDITIONS, MAX_QUERY_WORDS } from "../contract/limits.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import type { Token, Tokenize } from "../text/tokenize.ts";
import { markStopWords, type StopWordOptions } from "./mark-stop-words.ts";
import type { QueryWord } from "./query-word.ts";

export interface ParsedQuery {
  words: QueryWord[];
  phrases: string[][];
  /** Words and phrases that no result may have. */
  excluded: string[][];
}

export interface ParseOptions extends StopWordOptions {
  tokenize: Tokenize;
  isPrefixSearch: boolean;
  /** Stop words are kept to rank by. Absent: they are dropped. */
  hasRankingStopWords?: boolean;
}

interface Part {
  text: string;
  isPhrase: boolean;
  isExcluded: boolean;
}

/** How an index reads the typed text. */
export function parseOptions({ tokenize, stopWords, synonyms, settings }: OpenedIndex): ParseOptions {
  return {
    tokenize,
    stopWords,
    synonyms,
    isPrefixSearch: settings.prefixSearch !== "disabled",
    hasRankingStopWords: settings.hierarchy !== null,
  };
}

export function parseQuery(q: string, options: ParseOptions): ParsedQuery {
  const text = q.slice(0, MAX_QUERY_CHARACTERS).toWellFormed();
  const parsed: ParsedQuery = { words: [], phrases: [], excluded: [] };
  for (const part of splitParts(text)) {
    const tokens = options.tokenize(part.text);
    if (tokens.length === 0) continue;
    const words = tokens.map((token) => token.word);
    const isRoom = parsed.phrases.length + parsed.excluded.length < MAX_QUERY_CONDITIONS;
    if (part.isExcluded) {
      if (isRoom) parsed.excluded.push(words);
    } else if (part.isPhrase) {
      if (isRoom) parsed.phrases.push(words);
      addLiterals(parsed, words);
    } else addWords(parsed, tokens, part.text);
  }
  const words = markStopWords(parsed.words, options);
  const last = words.at(-1);
  // A space or a closing quote after the last word says that it is complete.
  if (last && !last.isLiteral) last.isPrefix = options.isPrefixSearch && !/\s$/u.test(text);
  return { ...parsed, words: keepWords(words, options) };
}

function splitParts(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  const addPlain = (to: number) => {
    for (const match of text
      .slice(at, to)
      .matchAll(/(?:^|(?<=\s))-(?=[^\s-])(\S+)|\S+(?:\s+(?!-[^\s-])\S+)*/gu)) {
      parts.push({ text: match[1] ?? match[0], isPhrase: false, isExcluded: match[1] !== undefined });
    }
  };
  for (const match of text.matchAll(/(?:(?<=^|\s)(-))?"([^"]*)"/gu)) {
    addPlain(match.index);
    parts.push({ text: match[2]!, isPhrase: true, isExcluded: match[1] !== undefined });
    at = match.index + match[0].length;
  }
  addPlain(text.length);
  return parts;
}

function addLiterals(parsed: ParsedQuery, words: string[]): void {
  for (const word of words)
    parsed.words.push({
      word,
      isPrefix: false,
      isJoined: false,
      isCode: false,
      isSnakeCase: false,
      isLiteral: true,
      isStopWord: false,
    });
}

function addWords(parsed: ParsedQuery, tokens: readonly Token[], text: string): void {
  for (let at = 0; at < tokens.length;) {
    let end = at + 1;
    while (tokens[end]?.isJoined) end++;
    const parts = tokens.slice(at, end);
    const joints = parts.slice(1).map((part, before) => text.slice(parts[before]!.end, part.start));
    const isSnakeCase = joints.includes("_");
    const isFlag = /(?:^|\s)--$/u.test(text.slice(0, parts[0]!.start));
    // Words joined by hyphens and dots may be prose; parts joined by nothing are `camelCase`.
    const isCode = isFlag || isSnakeCase || joints.includes("");
    for (const { word, isJoined } of parts) {
      const isLiteral = false;
      const isStopWord = false;
      parsed.words.push({ word, isPrefix: false, isJoined, isCode, isSnakeCase, isLiteral, isStopWord });
    }
    at = end;
  }
}

/**
 * As many words as are searched; in a long question the stop words go first. Where they are dropped, a stop word that may be
 * the beginning of another word stays as one, as in Meilisearch.
 */
function keepWords(words: QueryWord[], { hasRankingStopWords }: ParseOptions): QueryWord[] {
  if (hasRankingStopWords && words.length <= MAX_QUERY_WORDS) return words;
  const kept = words.filter((word) => !word.isStopWord || (word.isPrefix && !hasRankingStopWords));
  return kept.slice(0, MAX_QUERY_WORDS).map((word) => ({ ...word, isStopWord: false }));
}
