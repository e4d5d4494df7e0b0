// @vitest-environment happy-dom
// @vitest-environment-options {"url": "https://site.test/docs/cache", "settings": {"navigation": {"disableMainFrameNavigation": true, "disableFallbackToSetURL": true}}}
/**
 * 1. A plain click anywhere inside the element starts its feature and does not follow a link, before any other listener
 *    sees the click, with its styles in place, once; a click with a modifier, on something else, or for an unknown name
 *    starts nothing.
 * 2. The pointer or the focus on the element fetches the code without starting it. With `data-hover` they start it; a click
 *    starts it only if it is a finger's tap.
 * 3. The feature's key starts it with the focused element, outside text fields, and not while shortcuts are off.
 * 4. Code that does not arrive is announced after a click or a key, never after a hover; a link is then followed. The
 *    next click tries again.
 * 5. An element that was removed before the code arrives starts nothing; after a stop, nothing happens.
 */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setShortcuts } from "../../ui/build-faster-key.ts";
import type { LateModule } from "./features.ts";
import { startLate } from "./start-late.ts";

const { start, load } = vi.hoisted(() => ({
  start: vi.fn<LateModule["start"]>(),
  load: vi.fn<() => Promise<LateModule>>(),
}));
vi.mock("./features.ts", () => ({
  lateFeatures: {
    zoom: { label: "The large image", load },
    term: { label: "The meaning", load },
    keys: { label: "The list of keys", load, key: "?" },
  },
}));
let stop = () => {};

beforeEach(() => {
  load.mockReset().mockResolvedValue({ start, styles: "dialog { color: red }" });
  document.body.innerHTML = `<output id="announcer"></output><input>
    <a id="zoom" href="https://site.test/a.svg" data-late="zoom"><b>a</b></a><a id="plain" href="/b">b</a>
    <button id="term" data-hover="term">c</button><button id="unknown" data-late="constructor">d</button>`;
  stop = startLate();
});

afterEach(() => {
  stop();
  start.mockClear();
  setShortcuts(true);
  vi.restoreAllMocks();
});

function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) throw new Error(`There is no ${selector}.`);
  return element;
}

/** @returns whether the browser would still perform its default action. */
function send(event: Event, selector = "body"): boolean {
  return find(selector).dispatchEvent(event);
}

const options = { bubbles: true, cancelable: true };
const click = (init: MouseEventInit = {}) => new MouseEvent("click", { ...options, ...init });
const press = (key: string) => new KeyboardEvent("keydown", { ...options, key, shiftKey: true });
const settle = () => new Promise((resolve) => requestAnimationFrame(resolve));

it("starts with a click (1)", async () => {
  const other = vi.fn<(isHandled: boolean) => void>();
  find("#zoom").addEventListener("click", (event) => other(event.defaultPrevented), { once: true });
  expect(send(click(), "#zoom b")).toBe(false);
  expect(other.mock.calls).toEqual([[true]]);
  await vi.waitFor(() => expect(start).toHaveBeenCalledOnce());
  expect(start.mock.calls[0]?.[0].id).toBe("zoom");
  send(click(), "#zoom");
  await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(2));
  expect(document.adoptedStyleSheets).toHaveLength(1);
});

it("leaves other clicks alone (1)", async () => {
  for (const init of [{ metaKey: true }, { ctrlKey: true }, { shiftKey: true }, { altKey: true }])
    expect(send(click(init), "#zoom")).toBe(true);
  for (const selector of ["#plain", "body"]) expect(send(click(), selector)).toBe(true);
  send(click(), "#unknown");
  await settle();
  expect(load).not.toHaveBeenCalled();
});

it.each(["pointerover", "focusin"])("fetches at %s, and starts where asked to (2)", async (type) => {
  send(new Event(type, options), "#zoom b");
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce());
  await settle();
  expect(start).not.toHaveBeenCalled();
  send(new Event(type, options), "#term");
  await vi.waitFor(() => expect(start).toHaveBeenCalledOnce());
});

it("leaves a link that was hovered to the mouse and the keyboard, and takes a tap (2)", async () => {
  expect(send(click(), "#term")).toBe(true);
  await settle();
  expect(load).not.toHaveBeenCalled();
  expect(send(new PointerEvent("click", { ...options, pointerType: "touch" }), "#term")).toBe(false);
  await vi.waitFor(() => expect(start).toHaveBeenCalledOnce());
});

it("has a key (3)", async () => {
  find("#plain").focus();
  expect(send(press("?"), "#plain")).toBe(false);
  await vi.waitFor(() => expect(start).toHaveBeenCalledOnce());
  expect(start.mock.calls[0]?.[0].id).toBe("plain");
});

it("does not take a key that is typed, another one, or one that is switched off (3)", async () => {
  expect(send(press("?"), "input")).toBe(true);
  expect(send(press("!"))).toBe(true);
  setShortcuts(false);
  expect(send(press("?"))).toBe(true);
  await settle();
  expect(load).not.toHaveBeenCalled();
});

it("says what could not be loaded, follows the link, and tries again (4)", async () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  load.mockRejectedValueOnce(new Error("offline"));
  send(click(), "#zoom");
  await vi.waitFor(() =>
    expect(find("#announcer").textContent).toBe(
      "The large image could not be loaded. Check the connection and try again.",
    ),
  );
  expect(assign.mock.calls).toEqual([["https://site.test/a.svg"]]);
  send(click(), "#zoom");
  await vi.waitFor(() => expect(start).toHaveBeenCalledOnce());
});

it("says nothing about what no one asked for (4)", async () => {
  load.mockRejectedValue(new Error("offline"));
  send(new Event("pointerover", options), "#zoom");
  send(new Event("focusin", options), "#term");
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  await settle();
  expect(find("#announcer").textContent).toBe("");
});

it("starts nothing on an element that is gone, or once stopped (5)", async () => {
  send(click(), "#zoom");
  find("#zoom").remove();
  await settle();
  stop();
  expect(send(click(), "#term")).toBe(true);
  send(press("?"));
  await settle();
  expect([load.mock.calls.length, start.mock.calls.length]).toEqual([1, 0]);
});
