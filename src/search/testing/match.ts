import type { BlockMatch, Occurrence } from "../query/block-match.ts";
import { Field } from "../contract/unit-fields.ts";
import type { RuleMatch } from "../rules/rule.ts";

export interface TestBlock {
  /** Words; `cache~2` is the word with two typos, which counts `0.5 ** 2`. */
  text: string;
  field?: number;
  attribute?: number;
}

/** The input of a rule for a query of these words and a unit of these blocks, every word equally rare. */
export function matchOf(
  query: string,
  blocks: (string | TestBlock)[],
  known: Partial<RuleMatch> = {},
): RuleMatch {
  const words = query.split(" ");
  const found = blocks
    .map((block) => (typeof block === "string" ? { text: block } : block))
    .map((block) => blockMatch(words, block))
    .filter(({ mask }) => mask !== 0);
  return {
    blocks: found,
    mask: found.reduce((mask, block) => mask | block.mask, 0),
    rarities: words.map(() => 3),
    stopWords: 0,
    firstScore: 0.5,
    isIdentifier: false,
    unitCount: 100,
    support: 0,
    ...known,
  };
}

function blockMatch(words: string[], { text, field = Field.text, attribute = field }: TestBlock): BlockMatch {
  const texts = text.split(" ");
  const occurrences = texts.flatMap((written, position): Occurrence[] => {
    const [word = "", typos = "0"] = written.split("~");
    const mask = words.reduce((bits, asked, at) => (asked === word ? bits | (1 << at) : bits), 0);
    const weight = 0.5 ** Number(typos);
    return mask === 0 ? [] : [{ position, length: 1, mask, isPart: false, weight, typos: Number(typos) }];
  });
  const mask = occurrences.reduce((bits, one) => bits | one.mask, 0);
  return { block: 0, field, attribute, document: 0, length: texts.length, occurrences, mask };
}
