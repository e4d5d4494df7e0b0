import type { Page } from "#docs/content/types.ts";

/** The words that pages have in small letters: words that are not names. */
export function createVocabulary(pages: Iterable<Pick<Page, "markdown">>): (word: string) => boolean {
  const words = new Set<string>();
  for (const { markdown } of pages)
    for (const [word] of markdown.matchAll(/(?<![\p{L}\p{N}_])\p{Ll}+(?![\p{L}\p{N}_])/gu)) words.add(word);
  return (word) => words.has(word);
}
