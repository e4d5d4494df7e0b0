/**
 * Features that a page fetches only on request; until then, this is their only code in the page. An element in
 * static HTML or from React stands for the feature of that name (`features.ts`):
 *
 *   data-late="<name>"    the pointer or the focus on it fetches the code, a plain click starts the feature, and a link is
 *                         not followed
 *   data-hover="<name>"   the pointer, the focus or a finger's tap starts it; other clicks do not change
 *   one of `KEYS`         starts the feature with this `key`, with the focused element
 *
 * One set of listeners serves all of them, now and after a navigation.
 */
import { announce } from "#ui/announce.ts";
import { isShortcut } from "../../ui/build-faster-key.ts";
import { isPlainClick } from "../behaviors/link-delegation.ts";

/** Single-key shortcuts, one character each; readers can switch them all off. */
const KEYS = "?";

/** @returns a function that stops this. */
export function startLate(): () => void {
  const controller = new AbortController();
  // Runs before the listeners that navigate, which ignore handled events.
  const listen = <Type extends keyof DocumentEventMap>(
    type: Type,
    listener: (event: DocumentEventMap[Type]) => void,
  ) => document.addEventListener(type, listener, { signal: controller.signal, capture: true });

  const onPlace = (event: Event) => {
    const element = placeOf(event);
    if (element) void run(event, element);
  };
  listen("pointerover", onPlace);
  listen("focusin", onPlace);
  listen("click", (event) => {
    const element = placeOf(event);
    if (!element || !isPlainClick(event)) return;
    if ("hover" in element.dataset && (event as PointerEvent).pointerType !== "touch") return; // absent in older browsers
    event.preventDefault();
    void run(event, element);
  });
  listen("keydown", (event) => {
    if (!KEYS.includes(event.key) || !isShortcut(event)) return;
    event.preventDefault();
    void run(event, document.activeElement as HTMLElement); // the document's own elements are HTML
  });
  return () => controller.abort();
}

function placeOf({ target }: Event): HTMLElement | null {
  return (target as Element).closest?.("[data-late],[data-hover]"); // a document has no `closest`
}

async function run(event: Event, element: HTMLElement): Promise<void> {
  const missing = await import("./run-feature.ts").then(
    ({ runFeature }) => runFeature(event, element),
    () => "This",
  );
  // A prefetch fails silently; the click tries again and reports a failure.
  if (!missing || (event.type !== "click" && event.type !== "keydown")) return;
  announce(`${missing} could not be loaded. Check the connection and try again.`);
  if (event.type === "click" && element instanceof HTMLAnchorElement) location.assign(element.href);
}
