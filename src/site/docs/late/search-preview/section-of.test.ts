// @vitest-environment happy-dom
/**
 * 1. A section ends before the next heading of its level or a higher level; a page's introduction before its first heading.
 * 2. The anchor of a table row leads to the section around it; an unknown anchor to the introduction.
 * 3. All tabs are shown with their labels, and no element has an id.
 */
import { expect, it } from "vitest";
import { sectionOf } from "./section-of.ts";

const page = new DOMParser().parseFromString(
  `<p class="lead">Lead.</p><div id="prose"> <p>Intro.</p>
  <h2 id="a">A</h2> <p>In A.</p> <div><h3 id="aa">AA</h3> <p>In AA.</p></div>
  <table><tr id="row"><td>Cell</td></tr></table>
  <h2 id="b">B</h2> <div class="tabs"><div role="tablist"><button role="tab" id="t1" aria-controls="p1">npm</button>
  <button role="tab" id="t2" aria-controls="p2">pnpm</button></div>
  <div role="tabpanel" id="p1" aria-labelledby="t1">npm i</div><div role="tabpanel" id="p2" hidden>pnpm i</div></div></div>`,
  "text/html",
);

it.each([
  ["", "Lead. Intro."],
  ["#nothing", "Lead. Intro."],
  ["#a", "A In A. AA In AA. Cell"],
  ["#aa", "AA In AA. Cell"],
  ["#row", "AA In AA. Cell"],
])("%s (1, 2)", (hash, text) => {
  expect(sectionOf(page, hash)?.textContent?.replaceAll(/\s+/g, " ").trim()).toBe(text);
});

it("opens tabs (3)", () => {
  const section = sectionOf(page, "#b");
  expect(section?.querySelectorAll("[id], [hidden], [role]")).toHaveLength(0);
  const labels = [...(section?.querySelectorAll(".preview-tab") ?? [])];
  expect(labels.map(({ textContent }) => textContent)).toEqual(["npm", "pnpm"]);
  expect(section?.textContent).toContain("pnpm i");
});

it("knows what is not a page (1)", () => {
  expect(sectionOf(document.implementation.createHTMLDocument(), "#a")).toBeNull();
});
