// @vitest-environment happy-dom
/**
 * The inlined script closes, before the tree is painted:
 * 1. the sections that the reader has closed, and nothing else that has a stored name;
 * 2. nothing if nothing is stored, storage is forbidden, or the value is not a list of names.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { applyClosedSections } from "./closed-sections.ts";

const section = (name: string) =>
  `<button class="tree-head" aria-expanded="true">${name}</button><ul class="branch" id="tree-${name}"></ul>`;

/** Names of the sections that are closed. */
function closed(): (string | null)[] {
  return [...document.querySelectorAll('[aria-expanded="false"]')].map((head) => head.textContent);
}

// Test files share their globals.
afterEach(() => vi.unstubAllGlobals());

beforeEach(() => {
  localStorage.clear();
  document.body.innerHTML = `<p></p><input id="q" />${["cache", "api", "ci-runners"].map(section).join("")}`;
});

describe("applyClosedSections", () => {
  it("(1) closes them", () => {
    localStorage.setItem("tree", JSON.stringify(["q", "api", "gone", "ci-runners"]));
    applyClosedSections();
    expect(closed()).toEqual(["api", "ci-runners"]);
  });

  it.each([null, "", "[]", "{}", "7", "null", '"cache"', '[1,null,{"a":1}]', "not JSON"])(
    "(2) closes nothing for %j",
    (value) => {
      if (value !== null) localStorage.setItem("tree", value);
      applyClosedSections();
      expect(closed()).toEqual([]);
    },
  );

  it("(2) closes nothing where storage is forbidden", () => {
    vi.stubGlobal("localStorage", new Proxy({}, { get: () => { throw new DOMException("denied", "SecurityError"); } })); // prettier-ignore
    applyClosedSections();
    expect(closed()).toEqual([]);
  });
});
