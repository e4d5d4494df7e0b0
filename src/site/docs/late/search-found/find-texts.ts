/**
 * Finds texts in an element, whatever their markup: "the layer cache" is also found in `the <b>layer</b> cache`.
 * Blanks and case are ignored; a record has other blanks than the page.
 */

/** Not read: buttons, and labels for screen readers only. */
const SKIPPED = "button, .vh, script, style";

interface Place {
  node: Text;
  offset: number;
}

/** Each text's first place at or after `from`, else its first place; missing texts are left out. */
export function findTexts(root: Element, texts: readonly string[], from: Element | null): Range[] {
  const { text, places, start } = readText(root, from);
  return texts.flatMap((wanted) => {
    const needle = fold(wanted);
    const after = text.indexOf(needle, start);
    const at = after < 0 ? text.indexOf(needle) : after;
    const first = places[at];
    const last = places[at + needle.length - 1];
    if (needle === "" || at < 0 || !first || !last) return [];
    const range = document.createRange();
    range.setStart(first.node, first.offset);
    range.setEnd(last.node, last.offset + 1);
    return [range];
  });
}

/** The element's text, folded, the place of each of its characters, and where `from` begins. */
function readText(root: Element, from: Element | null): { text: string; places: Place[]; start: number } {
  const places: Place[] = [];
  let text = "";
  let start = 0;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(SKIPPED)) continue;
    const isBefore = from && from.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING;
    // Character by character, so that each has its place; a page's text has about 10,000.
    for (let offset = 0; offset < node.data.length; offset++) {
      const character = fold(node.data[offset] ?? "");
      if (character === "") continue;
      text += character;
      places.push({ node, offset });
    }
    if (isBefore) start = text.length;
  }
  return { text, places, start };
}

/** Keeps the length of all characters in the documentation: only "İ" becomes two, of which the first stays. */
const fold = (text: string) =>
  text
    .replaceAll(/\s+/g, "")
    .replaceAll(/\S/gu, (character) => character.toLowerCase().slice(0, character.length));
