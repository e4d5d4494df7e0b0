import type { TextMatcher, TextToken } from "./types.ts";

/** Tokens that are remembered per index, about 10 MB; when they are full the older half is forgotten. */
const MAX_TOKENS = 100_000;
/** Longer texts are cut into words anew each time: one of them would push out hundreds. */
const MAX_TEXT = 4000;

interface Generation {
  texts: Map<string, readonly TextToken[]>;
  tokens: number;
}

interface Memory {
  young: Generation;
  old: Generation;
}

/** By tokenizer, of which every opened index has its own: they go away together. */
const memories = new WeakMap<TextMatcher["tokenize"], Memory>();

/**
 * The words of a text of the index. A reader's letters bring up nearly the same documents one after the other, and
 * cutting their texts into words is most of the work of highlighting them.
 */
export function tokensOf(text: string, matcher: TextMatcher): readonly TextToken[] {
  const { tokenize } = matcher;
  if (text.length > MAX_TEXT) return tokenize(text);
  let memory = memories.get(tokenize);
  if (!memory) memories.set(tokenize, (memory = { young: emptyGeneration(), old: emptyGeneration() }));
  const known = memory.young.texts.get(text);
  if (known) return known;
  const tokens = memory.old.texts.get(text) ?? tokenize(text);
  memory.young.texts.set(text, tokens);
  memory.young.tokens += tokens.length + 1;
  if (memory.young.tokens > MAX_TOKENS / 2) {
    memory.old = memory.young;
    memory.young = emptyGeneration();
  }
  return tokens;
}

function emptyGeneration(): Generation {
  return { texts: new Map(), tokens: 0 };
}
