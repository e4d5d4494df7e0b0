// @vitest-environment happy-dom
/**
 * What the script in `<head>` hides before the tree is parsed:
 * 1. the branches of the sections that the reader has closed, whatever their names;
 * 2. nothing where nothing is stored, where storage is forbidden, and where the value is no list of names.
 */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { hideClosedSections } from "./closed-sections.ts";

const tree =
  '<div data-section="Cache"><ul class="branch"></ul></div><div data-section="API"><ul class="branch"></ul></div>';

/** Names of the sections that are hidden. */
function hidden(): string[] {
  const style = document.querySelector("#closed-sections")?.textContent ?? "";
  const selectors = [...style.matchAll(/([^{}]+)\{display:none\}/g)].map(([, selector]) => selector ?? "");
  return [...document.querySelectorAll<HTMLElement>("[data-section]")]
    .filter((section) =>
      selectors.some((selector) => section.querySelector(".branch")?.matches(selector.replace(">", " > "))),
    )
    .map((section) => section.dataset["section"] ?? "");
}

beforeEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  document.head.innerHTML = "";
  document.body.innerHTML = tree;
});

describe("hideClosedSections", () => {
  it("(1) hides the closed ones", () => {
    localStorage.setItem("tree", '["API","Gone"]');
    hideClosedSections();
    expect(hidden()).toEqual(["API"]);
  });

  it.each([null, "", "[]", "{}", "7", "null", '"Cache"', '[1,null,{"a":1}]', "not JSON"])(
    "(2) hides nothing for %j",
    (value) => {
      if (value !== null) localStorage.setItem("tree", value);
      expect(hideClosedSections).not.toThrow();
      expect(document.querySelector("#closed-sections")?.textContent ?? "").not.toContain('"Cache"');
    },
  );

  it("(2) hides nothing where storage is forbidden", () => {
    vi.stubGlobal("localStorage", new Proxy({}, { get: () => { throw new DOMException("denied", "SecurityError"); } })); // prettier-ignore
    expect(hideClosedSections).not.toThrow();
    expect(document.querySelector("#closed-sections")).toBeNull();
  });
});
