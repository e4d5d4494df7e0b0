/**
 * Marks passages on the shown page, until the reader removes the marks (button, Esc) or leaves the page. If the browser
 * supports highlights, the page's nodes do not change; otherwise `<mark>`s are put around the texts.
 */
import { adoptStyles } from "../adopt-styles.ts";
import { fragmentDirective } from "../../anywhere/passages.ts";
import styles from "./search-found.css?inline";

const NAME = "found";
let clearMarks: (() => void) | null = null;

export interface Found {
  ranges: Range[];
  /** The texts as in the address. */
  texts: string[];
}

/** Replaces earlier marks. Does nothing without a range. */
export function markFound({ ranges, texts }: Found): void {
  clearMarks?.();
  const page = document.querySelector(".doc-page");
  if (ranges.length === 0 || !page) return;
  adoptStyles(styles);
  const takeAway = [paint(ranges), showButton(page, () => clear(true)), noteInAddress(texts)];
  const place = ranges[0]?.startContainer;
  // After a navigation, the marked nodes are gone.
  const observer = new MutationObserver(() => place?.isConnected || clear(false));
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("keydown", onKeyDown);
  clearMarks = () => clear(false);

  function clear(isByReader: boolean): void {
    clearMarks = null;
    observer.disconnect();
    document.removeEventListener("keydown", onKeyDown);
    for (const undo of takeAway) undo(isByReader);
  }

  /** Ignores Esc in the search box, a menu or a dialog, which handle it. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, dialog, [role=menu]"))
      return;
    event.preventDefault();
    clear(true);
  }
}

function paint(ranges: Range[]): () => void {
  const { classList } = document.documentElement;
  classList.add("has-found");
  const unpaint = "highlights" in CSS ? highlight(ranges) : ranges.flatMap(wrap);
  return () => {
    classList.remove("has-found");
    if (Array.isArray(unpaint)) for (const unwrap of unpaint) unwrap();
    else unpaint();
  };
}

function highlight(ranges: Range[]): () => void {
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return () => void CSS.highlights.delete(NAME);
}

/** Puts a `<mark>` around each text node of the range. */
function wrap(range: Range): (() => void)[] {
  const { startContainer, startOffset, endContainer, endOffset, commonAncestorContainer } = range;
  const root =
    commonAncestorContainer instanceof Text ? commonAncestorContainer.parentNode : commonAncestorContainer;
  if (!root) return [];
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text && range.intersectsNode(node)) nodes.push(node);
  return nodes.map((node) => {
    const part = document.createRange();
    part.setStart(node, node === startContainer ? startOffset : 0);
    part.setEnd(node, node === endContainer ? endOffset : node.data.length);
    const mark = document.createElement("mark");
    part.surroundContents(mark);
    return () => {
      const parent = mark.parentNode;
      mark.replaceWith(...mark.childNodes);
      parent?.normalize();
    };
  });
}

function showButton(page: Element, onPress: () => void): (isByReader: boolean) => void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-line btn-sm found-clear";
  const key = document.createElement("kbd");
  key.textContent = "esc";
  button.append("Clear highlight ", key);
  button.addEventListener("click", onPress);
  page.append(button);
  return (isByReader) => {
    const hadFocus = document.activeElement === button;
    button.remove();
    if (isByReader && hadFocus)
      document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true });
  };
}

/**
 * Adds the texts to the address, so that it can be copied and reloaded. Only if the browser hides them from scripts:
 * otherwise the router would look for an anchor of that name.
 */
function noteInAddress(texts: string[]): (isByReader: boolean) => void {
  if (!("fragmentDirective" in document)) return () => {};
  const { href, hash } = location;
  history.replaceState(history.state, "", `${hash || "#"}${fragmentDirective(texts)}`);
  return (isByReader) => {
    if (isByReader) history.replaceState(history.state, "", href);
  };
}
