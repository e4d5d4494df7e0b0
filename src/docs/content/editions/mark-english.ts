import type { Element, Root, RootContent } from "hast";
import { h } from "hastscript";
import type { Untranslated } from "./merge-translation.ts";

interface Marks {
  /** See `Merged`. */
  english: ReadonlyMap<string, Untranslated>;
  /** Anchors of sections whose tables come from the facts, which are in English. */
  withFacts: ReadonlySet<string>;
  language: string;
  /** Says in the reader's language why a section is in English. */
  explain: (state: Untranslated) => string;
}

/** Declares the language of what is in English, and says so once at the beginning of each such section. */
export function markEnglish(html: Root, { english, withFacts, language, explain }: Marks): void {
  const note = (state: Untranslated) =>
    h("p", { className: ["preview-mark"], lang: language }, [h("span", explain(state))]);
  let anchor = "";
  let state = english.get(anchor);
  const children = html.children.flatMap((child): RootContent[] => {
    if (child.type !== "element") return [child];
    const isHeading = child.tagName === "h2" && typeof child.properties.id === "string";
    if (isHeading) state = english.get((anchor = String(child.properties.id)));
    if (state || (withFacts.has(anchor) && isTable(child))) child.properties.lang = "en";
    return isHeading && state ? [child, note(state)] : [child];
  });
  const first = english.get("");
  html.children = first ? [note(first), ...children] : children;
}

const isTable = ({ properties: { className } }: Element) =>
  Array.isArray(className) && className.includes("table-wrap");
