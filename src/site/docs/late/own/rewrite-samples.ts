/** Shows a reader's own words in the samples of a page, and the original ones again. */
import { make } from "../parts/make.ts";
import {
  findSampleWords,
  type OwnNames,
  readPageWords,
  type Replacement,
  replaceAll,
} from "./sample-words.ts";

interface Sample {
  code: HTMLElement;
  /** As the page came. */
  nodes: Node[];
  text: string;
  button: HTMLElement | null;
  /** The button's `data-copy`, which differs from the text of a terminal. */
  copy: string | undefined;
}

export interface Samples {
  /** @returns how many words were replaced */
  show: (names: OwnNames) => number;
  restore: () => void;
}

/** @param prose the article */
export function openSamples(prose: HTMLElement): Samples {
  const samples = [...prose.querySelectorAll<HTMLElement>("code")].map(readSample);
  const restore = () => {
    for (const { code, nodes, button, copy } of samples) {
      if (code.querySelector(".yours") === null && button?.dataset["copy"] === copy) continue;
      code.replaceChildren(...nodes.map((node) => node.cloneNode(true)));
      if (button && copy !== undefined) button.dataset["copy"] = copy;
    }
  };
  return {
    restore,
    show(names) {
      restore();
      const page = readPageWords(
        samples.map(({ text }) => text),
        names.host,
      );
      let count = 0;
      for (const { code, text, button, copy } of samples) {
        const words = findSampleWords(text, page, names);
        count += words.length;
        for (const word of words.toReversed()) replaceWord(code, word);
        if (button && copy !== undefined)
          button.dataset["copy"] = replaceAll(copy, findSampleWords(copy, page, names));
      }
      return count;
    },
  };
}

function readSample(code: HTMLElement): Sample {
  const button = code.closest("figure")?.querySelector<HTMLElement>(".copy") ?? null;
  const nodes = [...code.childNodes].map((node) => node.cloneNode(true));
  return { code, nodes, text: code.textContent, button, copy: button?.dataset["copy"] };
}

/** The word may be spread over elements of the highlighting: its first one takes the new text. */
export function replaceWord(code: HTMLElement, { start, end, text }: Replacement): void {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const parts: { node: Text; from: number; to: number }[] = [];
  let at = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode as Text; // only text is shown to the walker
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, node.length);
    if (from < to) parts.push({ node, from, to });
    at += node.length;
  }
  for (const [index, { node, from, to }] of parts.entries()) {
    const rest = node.splitText(from);
    rest.deleteData(0, to - from);
    // Recordings of a page leave it out.
    if (index === 0) {
      const own = make("span", { className: "yours" }, text);
      own.dataset["private"] = "";
      rest.before(own);
    }
  }
}
