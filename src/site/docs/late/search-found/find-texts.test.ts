// @vitest-environment happy-dom
/**
 * 1. A text is found across markup, blanks and case, and the range contains exactly the text.
 * 2. The first place at or after the anchor is used, else the first place; text for screen readers only is not read.
 * 3. Missing and blank texts are left out.
 */
import { expect, it } from "vitest";
import { findTexts } from "./find-texts.ts";

function find(html: string, texts: string[], anchor?: string): string[] {
  document.body.innerHTML = `<article>${html}</article>`;
  const root = document.querySelector("article");
  if (!root) throw new Error("There is no article.");
  const from = anchor === undefined ? null : document.getElementById(anchor);
  return findTexts(root, texts, from).map((range) => range.toString());
}

it.each([
  ["<p>Use the <b>Layer</b>\n   cache.</p>", "the layer cache.", "the Layer\n   cache."],
  ["<ul><li>One</li><li>Two</li></ul>", "one two", "OneTwo"],
  ["<p>at <code>host</code>. Then</p>", "at host . Then", "at host. Then"],
  ["<pre><code><i>docker</i> build\n  --push</code></pre>", "docker build --push", "docker build\n  --push"],
])("in %s (1)", (html, text, found) => {
  expect(find(html, [text])).toEqual([found]);
});

it("begins at the anchor (2)", () => {
  const html = `<p>A cache first.</p><h2 id="b">B</h2><p>A <em>cache</em> second.</p>`;
  const [range] = findTexts(rootOf(html), ["a cache"], document.getElementById("b"));
  expect(range?.endContainer.parentElement?.tagName).toBe("EM");
  expect(find(html, ["first"], "b")).toEqual(["first"]);
  expect(find(`<p>copy <button>that</button><span class="vh">this</span></p>`, ["that", "this"])).toEqual([]);
});

it("leaves out what is not there (3)", () => {
  expect(find("<p>A cache.</p>", ["caches", " ", "cache"])).toEqual(["cache"]);
});

function rootOf(html: string): Element {
  document.body.innerHTML = `<article>${html}</article>`;
  return document.querySelector("article") ?? document.body;
}
