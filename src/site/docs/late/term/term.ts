import { make } from "../parts/make.ts";
import { loadGlossary } from "./load-glossary.ts";

export { default as styles } from "./term.css?inline";

/** A pointer that only passes over a word opens nothing; a pointer that leaves may be moving to the card. */
const OPEN_MS = 200;
const CLOSE_MS = 250;
/** Pixels between the word and its card, and between the card and the window's edge. */
const GAP = 6;
const CARD_ID = "term-card";

/** The explained word, and the controller that ends it. */
let open: { word: HTMLElement; end: AbortController } | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows the meaning of a glossary word: while the pointer is on the word or on the card, while the word has the focus,
 * or after a tap until the next tap elsewhere. Esc closes it (WCAG 1.4.13).
 */
export function start(word: HTMLElement, event: Event): void {
  if (event.type === "pointerover" && event instanceof PointerEvent && event.pointerType === "touch") return;
  // A tap is certain; its accompanying events may arrive later.
  if (event.type === "click") return void show(word, event);
  clearTimeout(timer);
  if (open?.word !== word)
    timer = setTimeout(() => void show(word, event), event.type === "pointerover" ? OPEN_MS : 0);
}

async function show(word: HTMLElement, event: Event): Promise<void> {
  const isWanted = () => event.type === "click" || word.matches(":hover, :focus-visible");
  if (!isWanted()) return;
  const entry = (await loadGlossary())[word.getAttribute("href")?.split("#")[1] ?? ""];
  if (!entry || !word.isConnected || !isWanted() || (open?.word === word && event.type !== "click")) return;
  close();
  const card = make(
    "div",
    { id: CARD_ID, className: "term-card", popover: "manual" },
    make("strong", {}, entry.title),
    make("p", {}, entry.text),
    // For keyboard users, the word itself is the link.
    make("a", { href: word.getAttribute("href") ?? "", tabIndex: -1 }, "Read more"),
  );
  // Placed in the article, whose links are followed without a reload.
  (word.closest("article") ?? document.body).append(card);
  card.showPopover();
  place(card, word);
  word.setAttribute("aria-describedby", CARD_ID);
  const end = new AbortController();
  open = { word, end };
  end.signal.addEventListener("abort", () => {
    word.removeAttribute("aria-describedby");
    card.remove();
  });
  closeWhenDone(card, word, event.type === "click", end.signal);
}

function close(): void {
  clearTimeout(timer);
  open?.end.abort();
  open = null;
}

function closeWhenDone(card: HTMLElement, word: HTMLElement, isTapped: boolean, signal: AbortSignal): void {
  const isOn = (target: EventTarget | null) =>
    target instanceof Node && (card.contains(target) || word.contains(target));
  const closeSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(
      () => !document.querySelector(`#${CARD_ID}:hover`) && !word.matches(":hover, :focus") && close(),
      CLOSE_MS,
    );
  };
  const on = (target: EventTarget, type: string, act: (event: Event) => void) =>
    target.addEventListener(type, act, { signal, capture: true });
  on(document, "keydown", (event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
  on(document, "pointerdown", (event) => !isOn(event.target) && close());
  on(window, "popstate", close);
  on(card, "click", (event) => event.target instanceof HTMLAnchorElement && setTimeout(close));
  if (isTapped) return;
  on(document, "pointerover", (event) => (isOn(event.target) ? clearTimeout(timer) : closeSoon()));
  on(document.documentElement, "pointerleave", closeSoon);
  on(word, "blur", closeSoon);
}

/** Below the word, or above it if there is no room; it scrolls with the page. */
function place(card: HTMLElement, word: HTMLElement): void {
  // The first line of a word that is broken over two lines.
  const box = word.getClientRects()[0] ?? word.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = card;
  const room = document.documentElement.clientWidth - width - GAP * 2;
  const isBelow = box.bottom + GAP + height <= innerHeight;
  card.style.left = `${Math.max(GAP, Math.min(box.left, room + GAP)) + scrollX}px`;
  card.style.top = `${(isBelow ? box.bottom + GAP : box.top - GAP - height) + scrollY}px`;
}
