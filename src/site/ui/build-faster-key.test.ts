// @vitest-environment happy-dom
/**
 * 1. The bare key acts, in either case; with a modifier, held down or already handled, it does not.
 * 2. It never acts in an input, textarea, select or editable element, nor while a dialog is open.
 * 3. When switched off, it does nothing; the choice is in localStorage, and listeners are notified.
 * 4. If storage throws, the choice still applies to the page.
 * 5. The function returned by listenForActionKey stops it.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { areShortcutsOn, listenForActionKey, setShortcuts, subscribeShortcuts } from "./build-faster-key.ts";

const act = vi.fn<() => void>();
let stop = () => {};

function press(init: KeyboardEventInit = {}, target: Element = document.body) {
  target.dispatchEvent(new KeyboardEvent("keydown", { key: "b", bubbles: true, cancelable: true, ...init }));
}

function listen(html = "") {
  document.body.innerHTML = html;
  stop = listenForActionKey("B", act);
}

afterEach(() => {
  stop();
  vi.restoreAllMocks();
  act.mockClear();
  setShortcuts(true);
  localStorage.clear();
});

describe("the action key", () => {
  it.each(["b", "B"])("(1) acts on %s", (key) => {
    listen();
    press({ key });
    expect(act).toHaveBeenCalledOnce();
  });

  it.each([
    { key: "c" },
    { metaKey: true },
    { ctrlKey: true },
    { altKey: true },
    { shiftKey: true },
    { repeat: true },
  ])("(1) does not act on %o", (init) => {
    listen();
    press(init);
    expect(act).not.toHaveBeenCalled();
  });

  it("(1) leaves a press alone that something else has handled", () => {
    listen("<main></main>");
    document.querySelector("main")?.addEventListener("keydown", (event) => event.preventDefault());
    press({}, document.querySelector("main") ?? document.body);
    expect(act).not.toHaveBeenCalled();
  });

  it.each([
    '<input id="x">',
    '<textarea id="x"></textarea>',
    '<select id="x"></select>',
    '<div contenteditable><b id="x"></b></div>',
  ])("(2) does not act in %s", (html) => {
    listen(html);
    press({}, document.querySelector("#x") ?? document.body);
    expect(act).not.toHaveBeenCalled();
  });

  it.each(["<dialog open></dialog>", '<div role="dialog"></div>'])("(2) does not act over %s", (html) => {
    listen(html);
    press();
    expect(act).not.toHaveBeenCalled();
  });

  it("(2) acts while a dialog is in the page but hidden", () => {
    listen('<dialog></dialog><div role="dialog" hidden></div>');
    press();
    expect(act).toHaveBeenCalledOnce();
  });

  it("(3) does nothing while switched off", () => {
    listen();
    const heard = vi.fn<() => void>();
    const unsubscribe = subscribeShortcuts(heard);
    setShortcuts(false);
    press();
    expect(act).not.toHaveBeenCalled();
    expect(localStorage.getItem("shortcuts")).toBe("off");
    setShortcuts(true);
    press();
    expect(act).toHaveBeenCalledOnce();
    expect(heard).toHaveBeenCalledTimes(2);
    unsubscribe();
  });

  it("(4) keeps the choice for the page where storage throws", () => {
    listen();
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    setShortcuts(false);
    expect(areShortcutsOn()).toBe(false);
    press();
    expect(act).not.toHaveBeenCalled();
  });

  it("(5) can be ended", () => {
    listen();
    stop();
    press();
    expect(act).not.toHaveBeenCalled();
  });
});
