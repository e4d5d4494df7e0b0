// @vitest-environment happy-dom
// @vitest-environment-options {"url": "https://site.test/docs/cache?x=1", "settings": {"navigation": {"disableMainFrameNavigation": true, "disableFallbackToSetURL": true}}}
/**
 * 1. A plain left click on a link to a page of this site navigates, with query and anchor, and does not load
 *    the page.
 * 2. Everything else is left to the browser: modifiers, other buttons, target, download, other origins,
 *    files, and clicks that something else has handled.
 * 3. Hovering for 50 ms, focusing and touching a link prefetch it; passing over it does not. Links from (2)
 *    and anchors on this page are not prefetched.
 * 4. After it is stopped, it does nothing.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startLinkDelegation } from "./link-delegation.ts";

const navigate = vi.fn<(to: string) => void>();
const prefetch = vi.fn<(to: string) => void>();
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = "";
  stop = startLinkDelegation(document.body, { navigate, prefetch });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.clearAllMocks();
});

function makeLink(attributes: string): HTMLElement {
  document.body.insertAdjacentHTML("beforeend", `<p><a ${attributes}><b>label</b></a></p>`);
  const label = document.body.querySelector<HTMLElement>("p:last-child b");
  if (!label) throw new Error("The link was not made.");
  return label;
}

/** @returns whether the browser would still follow the link. */
function click(target: Element, init: MouseEventInit = {}): boolean {
  return target.dispatchEvent(
    new MouseEvent("click", { bubbles: true, cancelable: true, button: 0, ...init }),
  );
}

function over(target: Element): void {
  target.dispatchEvent(new Event("pointerover", { bubbles: true }));
}

describe("clicks", () => {
  it.each([
    ['href="/docs/faq"', "/docs/faq"],
    ['href="/docs/faq?a=b#c"', "/docs/faq?a=b#c"],
    ['href="https://site.test/docs/cli"', "/docs/cli"],
    ['href="/docs/cache#limits"', "/docs/cache#limits"],
    ['href="/docs/cache?x=1"', "/docs/cache?x=1"],
    ['href="#limits"', "/docs/cache?x=1#limits"],
    ['href="/" target="_self"', "/"],
  ])("navigates: %s (1)", (attributes, to) => {
    expect(click(makeLink(attributes))).toBe(false);
    expect(navigate.mock.calls).toEqual([[to]]);
  });

  it.each([
    'href="https://other.test/docs/faq"',
    'href="/docs/faq" target="_blank"',
    'href="/docs/faq" download',
    'href="/docs/faq.md"',
    'href="/llms.txt"',
    'href="mailto:a@b.test"',
    'name="anchor"',
  ])("leaves alone: %s (2)", (attributes) => {
    expect(click(makeLink(attributes))).toBe(true);
    expect(navigate).not.toHaveBeenCalled();
  });

  it.each([{ metaKey: true }, { ctrlKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
    "leaves alone: %o (2)",
    (init) => {
      expect(click(makeLink('href="/docs/faq"'), init)).toBe(true);
      expect(navigate).not.toHaveBeenCalled();
    },
  );

  it("leaves handled clicks and clicks beside links alone (2)", () => {
    const label = makeLink('href="/docs/faq"');
    label.addEventListener("click", (event) => event.preventDefault(), { once: true });
    click(label);
    click(document.body);
    expect(navigate).not.toHaveBeenCalled();
  });
});

describe("intent", () => {
  it("prefetches after hovering for 50 ms (3)", () => {
    over(makeLink('href="/docs/faq"'));
    vi.advanceTimersByTime(49);
    expect(prefetch).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(prefetch.mock.calls).toEqual([["/docs/faq"]]);
  });

  it("prefetches the link that the pointer is on when it starts (3)", () => {
    stop();
    const link = makeLink('href="/docs/faq"').closest("a");
    vi.spyOn(document.body, "querySelector").mockImplementation((selector) =>
      selector === "a:hover" ? link : null,
    );
    stop = startLinkDelegation(document.body, { navigate, prefetch });
    vi.mocked(document.body.querySelector).mockRestore();
    vi.advanceTimersByTime(50);
    expect(prefetch.mock.calls).toEqual([["/docs/faq"]]);
  });

  it("prefetches only where the pointer rests (3)", () => {
    over(makeLink('href="/docs/faq"'));
    vi.advanceTimersByTime(30);
    over(makeLink('href="/docs/cli"'));
    vi.advanceTimersByTime(30);
    over(document.body);
    vi.advanceTimersByTime(1000);
    expect(prefetch).not.toHaveBeenCalled();
  });

  it.each(["focusin", "touchstart"])("prefetches at once on %s (3)", (type) => {
    makeLink('href="/docs/faq"').dispatchEvent(new Event(type, { bubbles: true }));
    makeLink('href="/docs/faq.md"').dispatchEvent(new Event(type, { bubbles: true }));
    makeLink('href="#limits"').dispatchEvent(new Event(type, { bubbles: true }));
    expect(prefetch.mock.calls).toEqual([["/docs/faq"]]);
  });
});

it("does nothing once stopped (4)", () => {
  const label = makeLink('href="/docs/faq"');
  label.dispatchEvent(new Event("pointerover", { bubbles: true }));
  stop();
  vi.advanceTimersByTime(1000);
  expect(click(label)).toBe(true);
  expect([navigate.mock.calls, prefetch.mock.calls]).toEqual([[], []]);
});
