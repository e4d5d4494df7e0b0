// @vitest-environment happy-dom
/**
 * Anchors, outline and copying in a static page.
 *
 * 1. A target in a closed `details` or a hidden tab panel is made visible and scrolled to; a visible target,
 *    or a name without one, is left alone.
 * 2. This happens for the address at the start, for a new anchor, and for every plain click on a link to the
 *    target, which also moves the focus there.
 * 3. The outline marks, in every list, the last heading above the reading line; the first if none is above;
 *    at the end of the page the heading that the address names, or the last one. Headings without a box are
 *    skipped.
 * 4. Copying takes `data-copy`, or the code; the button shows it for 1.6 s, and screen readers announce it.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { revealTarget, startAnchors } from "./anchors.ts";
import { copyCode } from "./copy-code.ts";

const scrolledTo: string[] = [];

function copyButton(): HTMLElement {
  const button = document.querySelector<HTMLElement>(".copy");
  if (!button) throw new Error("There is no button.");
  return button;
}

beforeEach(() => {
  scrolledTo.length = 0;
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function scroll(this: Element) {
    scrolledTo.push(this.id);
  });
  history.replaceState(null, "", "/docs");
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("anchors", () => {
  beforeEach(() => {
    document.body.innerHTML = `
      <details id="outer"><summary>Q</summary><details><summary>R</summary><h3 id="deep">D</h3></details></details>
      <div class="tabs"><div role="tablist">
        <button role="tab" id="t1" aria-controls="p1" aria-selected="true">1</button>
        <button role="tab" id="t2" aria-controls="p2" aria-selected="false" tabindex="-1">2</button></div>
        <div role="tabpanel" id="p1" aria-labelledby="t1"></div>
        <div role="tabpanel" id="p2" aria-labelledby="t2" hidden><h3 id="in-tab">T</h3></div></div>
      <h2 id="plain">P</h2><a href="#in-tab">link</a>`;
  });

  it("opens every details around the place (1)", () => {
    revealTarget("#deep");
    expect([...document.querySelectorAll("details")].map(({ open }) => open)).toEqual([true, true]);
    expect(scrolledTo).toEqual(["deep"]);
  });

  it("selects the tab around the place (1)", () => {
    revealTarget("#in-tab");
    expect(document.querySelector("#p2")?.hasAttribute("hidden")).toBe(false);
    expect(document.querySelector("#p1")?.hasAttribute("hidden")).toBe(true);
    expect(document.querySelector("#t2")?.getAttribute("aria-selected")).toBe("true");
    expect(scrolledTo).toEqual(["in-tab"]);
  });

  it.each(["", "#", "#plain", "#nothing", "#%E0%A4%A"])("does nothing for %j (1)", (hash) => {
    revealTarget(hash);
    expect(scrolledTo).toEqual([]);
  });

  it("follows the address (2)", () => {
    history.replaceState(null, "", "/docs#deep");
    const stop = startAnchors(document.body);
    history.replaceState(null, "", "/docs#in-tab");
    window.dispatchEvent(new Event("hashchange"));
    document.querySelector<HTMLElement>("#t1")?.click();
    document.querySelector("#p2")?.toggleAttribute("hidden", true);
    const link = document.querySelector<HTMLElement>("a");
    link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true }));
    expect(scrolledTo).toEqual(["deep", "in-tab"]);
    link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    expect(scrolledTo).toEqual(["deep", "in-tab", "in-tab"]);
    expect(document.activeElement?.id).toBe("in-tab");
    (document.activeElement as HTMLElement).blur(); // it is the heading of above
    expect(document.querySelector("#in-tab")?.hasAttribute("tabindex")).toBe(false);
    stop();
    document.querySelector("#p2")?.toggleAttribute("hidden", true);
    window.dispatchEvent(new Event("hashchange"));
    expect(scrolledTo).toHaveLength(3);
  });
});

describe("outline", () => {
  /** The observer's callback. */
  let report: () => void;
  let observed: Set<string>;
  let followOutline: typeof import("./outline.ts").followOutline;
  /**
   * Distances of the headings from the window's top; null = no box. The window is 1000 high, the line at 300.
   */
  let tops: Record<string, number | null>;

  beforeEach(async () => {
    const list = `<ol class="toc-list">${["a", "b", "c"].map((id) => `<li><a href="#${id}">${id}</a></li>`).join("")}</ol>`;
    document.body.innerHTML = `${list}${list}<h2 id="a">a</h2><h2 id="x">x</h2><h3 id="b">b</h3><h2 id="c">c</h2>`;
    class FakeObserver {
      constructor(callback: () => void) {
        report = callback;
      }
      observe = ({ id }: Element) => observed.add(id);
      disconnect = () => observed.clear();
    }
    observed = new Set();
    tops = {};
    vi.stubGlobal("IntersectionObserver", FakeObserver);
    vi.stubGlobal("innerHeight", 1000);
    vi.stubGlobal("scrollY", 0);
    vi.spyOn(document.documentElement, "scrollHeight", "get").mockReturnValue(5000);
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function box(this: Element) {
      const top = tops[this.id] ?? null;
      return top === null ? new DOMRect(0, 0, 0, 0) : new DOMRect(0, top, 100, 30);
    });
    vi.resetModules();
    ({ followOutline } = await import("./outline.ts"));
    followOutline();
  });

  const marked = () =>
    [...document.querySelectorAll("[aria-current=location]")].map((link) => link.textContent);

  function currentAfter(positions: typeof tops, address = ""): (string | null)[] {
    tops = positions;
    history.replaceState(null, "", `/docs${address}`);
    report();
    return marked();
  }

  it.each([
    [{ a: -500, x: -400, b: 299, c: 301 }, ["b", "b"]],
    [{ a: -500, x: -400, b: 301, c: 900 }, ["a", "a"]],
    [{ a: 400, x: 500, b: 700, c: 900 }, ["a", "a"]],
    [{ a: null, x: 0, b: 500, c: 600 }, ["b", "b"]],
    [{ a: -900, x: 0, b: null, c: -100 }, ["c", "c"]],
  ])("at %o marks %o (3)", (positions, expected) => {
    expect(currentAfter(positions)).toEqual(expected);
  });

  it("knows the end of the page (3)", () => {
    vi.stubGlobal("scrollY", 4000);
    const positions = { a: -3000, x: -2000, b: 500, c: 800 };
    expect(currentAfter(positions)).toEqual(["c", "c"]);
    expect(currentAfter(positions, "#b")).toEqual(["b", "b"]);
    expect(currentAfter(positions, "#a")).toEqual(["c", "c"]);
  });

  it("marks nothing while no heading is shown, as below results (3)", () => {
    expect(currentAfter({ a: 10, b: 20, c: 30 })).toEqual(["c", "c"]);
    expect(currentAfter({})).toEqual([]);
  });

  it("follows the next page, and no longer the one before (3)", () => {
    expect([...observed]).toEqual(["a", "b", "c"]);
    document.body.innerHTML = `<ol class="toc-list"><li><a href="#d">d</a></li></ol><h2 id="d">d</h2>`;
    tops = { d: 700 };
    followOutline();
    expect([...observed]).toEqual(["d"]);
    expect(marked()).toEqual(["d"]);
    document.body.innerHTML = `<h2 id="a">a</h2>`;
    followOutline();
    expect([...observed]).toEqual([]);
  });
});

describe("copyCode", () => {
  const writeText = vi.fn<(text: string) => Promise<void>>();

  beforeEach(() => {
    vi.useFakeTimers();
    writeText.mockReset().mockResolvedValue();
    vi.stubGlobal("navigator", { clipboard: { writeText } });
    document.body.innerHTML = `<output id="announcer"></output><figure><button class="copy" aria-label="Copy code"></button>
      <pre><code><span class="line">millrace build</span>\n<span>done</span></code></pre></figure>`;
  });
  afterEach(() => vi.useRealTimers());

  it("takes the code (4)", async () => {
    await copyCode(copyButton());
    expect(writeText.mock.calls).toEqual([["millrace build\ndone"]]);
  });

  it("prefers what the button carries (4)", async () => {
    copyButton().dataset.copy = "a\nb";
    await copyCode(copyButton());
    expect(writeText.mock.calls).toEqual([["a\nb"]]);
  });

  it("says so for 1.6 s after the last click (4)", async () => {
    const button = copyButton();
    const state = () => [button.classList.contains("is-done"), button.getAttribute("aria-label")];
    await copyCode(button);
    expect(state()).toEqual([true, "Copied"]);
    vi.advanceTimersByTime(1000);
    expect(document.querySelector("#announcer")?.textContent).toBe("Copied");
    await copyCode(button);
    vi.advanceTimersByTime(1599);
    expect(state()).toEqual([true, "Copied"]);
    vi.advanceTimersByTime(1);
    expect(state()).toEqual([false, "Copy code"]);
  });

  it("does not say so when it could not (4)", async () => {
    writeText.mockRejectedValue(new Error("denied"));
    await copyCode(copyButton());
    vi.advanceTimersByTime(100);
    expect(copyButton().classList.contains("is-done")).toBe(false);
    expect(document.querySelector("#announcer")?.textContent).not.toBe("Copied");
  });
});
