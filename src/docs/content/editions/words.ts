/** `content/translations/<language>/words.yaml`: words around an article, and units of values. */
import * as z from "zod";
import { conceptsSchema, groupsSchema, type SynonymGroups } from "../words/synonyms.ts";
import type { Components, FactComponent } from "../blocks/component.ts";

export const wordsSchema = z.strictObject({
  /** English → translated. */
  words: z.record(z.string(), z.string().min(1).max(300)),
  /** Like `content/synonyms.yaml`. */
  synonyms: groupsSchema.default([]),
  /** Like `content/concepts.yaml`, with the English words for what a page that is not translated says. */
  concepts: conceptsSchema.default([]),
  /** Units after a number, as in `30 days`. */
  units: z.record(z.string(), z.string().min(1).max(40)),
});

export type Words = z.infer<typeof wordsSchema>;

/** A word that the file lacks stays English. */
export const wordOf = (words: Words["words"], english: string): string =>
  Object.hasOwn(words, english) ? words[english]! : english;

/** Its synonyms and concepts, with each umlaut also as people write it without a key for it: `ae` for `ä`. */
export function synonymsOf({ synonyms, concepts }: Words): SynonymGroups {
  const spelled = (words: readonly string[]) => [
    ...new Set(words.flatMap((word) => [word, withoutUmlauts(word)])),
  ];
  return [
    ...synonyms.map(spelled),
    ...concepts.map(({ typed, means }) => ({ typed: spelled(typed), means })),
  ];
}

const DIGRAPHS: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  Ä: "Ae",
  Ö: "Oe",
  Ü: "Ue",
  ß: "ss",
};
const withoutUmlauts = (word: string) =>
  word.replaceAll(/[äöüÄÖÜß]/g, (letter) => DIGRAPHS[letter] ?? letter);

/** The components of a language: a fact inside a sentence has its units. */
export function componentsOf(components: Components, { units }: Words): Components {
  const { Fact: fact } = components.elements;
  if (fact?.kind !== "fact") return components;
  const named = Object.keys(units).join("|");
  if (named === "") return components;
  const unit = new RegExp(`(\\d )(${named})\\b`, "g");
  const translated: FactComponent = {
    ...fact,
    expand(attributes, facts, claim) {
      const limits = facts.limits.limits.map((limit) => ({
        ...limit,
        value: limit.value.replace(
          unit,
          (_all, number: string, word: string) => number + wordOf(units, word),
        ),
      }));
      return fact.expand(attributes, { ...facts, limits: { ...facts.limits, limits } }, claim);
    },
  };
  return { ...components, elements: { ...components.elements, Fact: translated } };
}

/** Labels that the compiler writes into every article. */
export function translateLabels(html: string, words: Words["words"]): string {
  return html.replaceAll(
    / aria-label="(Link to |Copy code|Enlarge the diagram|Enlarge the image)/g,
    (_all, label: string) =>
      ` aria-label="${label === "Link to " ? `${wordOf(words, "Link to")} ` : wordOf(words, label)}`,
  );
}
