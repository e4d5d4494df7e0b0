// @vitest-environment happy-dom
/**
 * 1. A click selects: exactly one tab of a list is selected and in the tab order, and exactly its panel is
 *    shown.
 * 2. Arrows move, select and wrap, Home and End go to the ends, and the focus moves along; other keys and
 *    keys with modifiers do nothing.
 * 3. A choice applies to all tabs of its group that have the label, also on the next page; ungrouped tabs and
 *    other groups do not change; a broken stored value counts as none.
 * 4. Tabs inside a panel are their own list.
 * 5. An address's choice for this visit wins over a remembered choice, and a press wins over both.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTabs } from "./tabs.ts";

let stop = () => {};

function makeTabs(id: string, labels: string[], group?: string, inner = ""): string {
  const tabs = labels.map((label, i) => {
    const state = i === 0 ? 'aria-selected="true"' : 'aria-selected="false" tabindex="-1"';
    return `<button role="tab" id="${id}-${i}" aria-controls="${id}-${i}-panel" ${state}>${label}</button>`;
  });
  const panels = labels.map((label, i) => {
    const hidden = i === 0 ? "" : "hidden";
    return `<div role="tabpanel" id="${id}-${i}-panel" ${hidden}>${label} text${i === 0 ? inner : ""}</div>`;
  });
  const attribute = group === undefined ? "" : ` data-group="${group}"`;
  return `<div class="tabs"${attribute} id="${id}"><div role="tablist">${tabs.join("")}</div>${panels.join("")}</div>`;
}

function open(html: string): void {
  stop();
  document.body.innerHTML = html;
  stop = startTabs(document.body);
}

function tab(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`There is no tab ${id}.`);
  return element;
}

/** Labels of the tabs of one list that are selected, in the tab order, and shown. */
function stateOf(id: string) {
  const list = [...document.querySelectorAll(`#${id} > [role=tablist] > [role=tab]`)];
  const panels = [...document.querySelectorAll(`#${id} > [role=tabpanel]`)];
  return {
    selected: list
      .filter((item) => item.getAttribute("aria-selected") === "true")
      .map((item) => item.textContent),
    tabbable: list.filter((item) => item.getAttribute("tabindex") !== "-1").map((item) => item.textContent),
    shown: panels.flatMap((panel, i) => (panel.hasAttribute("hidden") ? [] : [list[i]?.textContent])),
  };
}

const only = (label: string) => ({ selected: [label], tabbable: [label], shown: [label] });

function press(target: Element, key: string, init: KeyboardEventInit = {}): boolean {
  return target.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }),
  );
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => stop());

it("selects with a click (1)", () => {
  open(makeTabs("a", ["npm", "pnpm", "yarn"]));
  expect(stateOf("a")).toEqual(only("npm"));
  tab("a-2").click();
  expect(stateOf("a")).toEqual(only("yarn"));
});

describe("keys", () => {
  it.each([
    ["ArrowRight", 0, "pnpm"],
    ["ArrowRight", 2, "npm"],
    ["ArrowLeft", 0, "yarn"],
    ["ArrowLeft", 2, "pnpm"],
    ["Home", 2, "npm"],
    ["End", 0, "yarn"],
  ])("%s on tab %i selects %s (2)", (key, from, label) => {
    open(makeTabs("a", ["npm", "pnpm", "yarn"]));
    tab(`a-${from}`).click();
    expect(press(tab(`a-${from}`), key)).toBe(false);
    expect(stateOf("a")).toEqual(only(label));
    expect(document.activeElement?.textContent).toBe(label);
  });

  it("leaves other keys alone (2)", () => {
    open(makeTabs("a", ["npm", "pnpm"]));
    expect(press(tab("a-0"), "ArrowDown")).toBe(true);
    expect(press(tab("a-0"), "ArrowRight", { altKey: true })).toBe(true);
    expect(stateOf("a")).toEqual(only("npm"));
  });
});

function expectChosen(): void {
  const chosen = ["a", "b", "c", "d", "e"].map((id) => stateOf(id).selected[0]);
  expect(chosen).toEqual(["pnpm", "pnpm", "npm", "npm", "npm"]);
}

describe("groups", () => {
  const page =
    makeTabs("a", ["npm", "pnpm"], "manager") +
    makeTabs("b", ["yarn", "npm", "pnpm"], "manager") +
    makeTabs("c", ["npm", "yarn"], "manager") +
    makeTabs("d", ["npm", "pnpm"], "other") +
    makeTabs("e", ["npm", "pnpm"]);

  it("share the choice (3)", () => {
    open(page);
    tab("b-2").click();
    expectChosen();
  });

  it("remember it for the next page (3)", () => {
    open(page);
    tab("a-1").click();
    open(page);
    expectChosen();
    expect(stateOf("b")).toEqual(only("pnpm"));
  });

  it.each(["", "{", "null", "3", '{"manager":3}', '{"manager":"bun"}'])(
    "take %j for no choice (3)",
    (stored) => {
      localStorage.setItem("tabs", stored);
      open(page);
      expect(stateOf("b")).toEqual(only("yarn"));
    },
  );
});

describe("of a visit", () => {
  const page = makeTabs("a", ["npm", "pnpm", "yarn"], "manager") + makeTabs("b", ["x", "y"], "other");

  beforeEach(() => {
    localStorage.setItem("tabs", '{"manager":"pnpm","other":"y"}');
    sessionStorage.setItem("tabs", '{"manager":"yarn"}');
  });

  it("come before remembered ones, which stay (5)", () => {
    open(page);
    expect([stateOf("a"), stateOf("b")]).toEqual([only("yarn"), only("y")]);
    tab("b-0").click();
    expect(localStorage.getItem("tabs")).toBe('{"manager":"pnpm","other":"x"}');
    expect(sessionStorage.getItem("tabs")).toBe('{"manager":"yarn"}');
  });

  it("give way to a press (5)", () => {
    open(page);
    tab("a-0").click();
    open(page);
    expect(stateOf("a")).toEqual(only("npm"));
    expect(localStorage.getItem("tabs")).toBe('{"manager":"npm","other":"y"}');
  });
});

it.each(["null", "5", '"text"', "[1]", "{"])("are chosen where %s is stored (3)", (stored) => {
  localStorage.setItem("tabs", stored);
  sessionStorage.setItem("tabs", stored);
  open(makeTabs("a", ["npm", "pnpm"], "manager") + makeTabs("b", ["npm", "pnpm"], "manager"));
  expect(stateOf("a")).toEqual(only("npm"));
  tab("a-1").click();
  expect([stateOf("a"), stateOf("b")]).toEqual([only("pnpm"), only("pnpm")]);
});

it("keeps inner tabs apart (4)", () => {
  open(makeTabs("a", ["one", "two"], "outer", makeTabs("b", ["one", "two"], "inner")));
  tab("b-1").click();
  expect(stateOf("b")).toEqual(only("two"));
  expect(stateOf("a")).toEqual(only("one"));
});
