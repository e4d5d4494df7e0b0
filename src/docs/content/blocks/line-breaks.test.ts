/**
 * Properties of line breaks:
 * 1. A flag does not break, a name breaks after an underscore, long code in a table between its parts, a number stays with
 *    its unit; code blocks are left alone.
 * 2. The text stays the same, except for the space between a number and its unit.
 */
import fc from "fast-check";
import type { Root } from "hast";
import { toString } from "hast-util-to-string";
import { h } from "hastscript";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { expect, test } from "vitest";
import { placeLineBreaks } from "./line-breaks.ts";

const html = (root: Root) => {
  placeLineBreaks(root);
  return unified().use(rehypeStringify).stringify(root);
};
const inCode = (text: string) => html({ type: "root", children: [h("code", text)] });

test.each([
  ["--load", '<code class="flag">--load</code>'],
  [
    "RUN --mount=type=cache,target=/x -f a-b",
    '<code>RUN <span class="flag">--mount</span>=type=cache,target=/x <span class="flag">-f</span> a-b</code>',
  ],
  ["MILLRACE_SECRET_KEY", "<code>MILLRACE_<wbr>SECRET_<wbr>KEY</code>"],
  ["mr_prj_", "<code>mr_prj_</code>"],
  ["--a-flag-that-is-too-long-for-one-line", "<code>--a-flag-that-is-too-long-for-one-line</code>"],
])("%s", (text, expected) => expect(inCode(text)).toBe(expected));

test.each([
  ["remoteCache.apiUrl", "remoteCache<wbr>.apiUrl"],
  ["{{origin}}/cache/turbo", "{{origin}}<wbr>/cache<wbr>/turbo"],
  ["https://ghcr.io/acme/web", "https://ghcr<wbr>.io<wbr>/acme<wbr>/web"],
  ["repository_owner_id=1,ref", "repository_<wbr>owner_<wbr>id=<wbr>1,<wbr>ref"],
  ["settings.xml", "settings.xml"],
  [
    "./mvnw verify --offline -Dkey=a_b",
    './mvnw verify <span class="flag">--offline</span> <span class="flag">-Dkey</span>=<wbr>a_<wbr>b',
  ],
])("%s in a table", (text, expected) => {
  const cell = (code: ReturnType<typeof h>) =>
    html({ type: "root", children: [h("table", h("tr", h("td", code)))] });
  expect(cell(h("code", text))).toContain(`<code>${expected}</code>`);
});

test("a number stays with its unit; a code block is as it was", () => {
  expect(html({ type: "root", children: [h("p", "It keeps 50 GB for 14 days, 3 pages.")] })).toBe(
    "<p>It keeps 50\u00a0GB for 14\u00a0days, 3 pages.</p>",
  );
  const block = h("pre", h("code", "--load A_B 50 GB"));
  expect(html({ type: "root", children: [block] })).toBe("<pre><code>--load A_B 50 GB</code></pre>");
});

test("no text is lost or added", () => {
  const piece = fc.constantFrom("--flag", "-f", "A_B", "_", "-", " ", "=", "é", "snake_case_name", "--");
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      const root: Root = { type: "root", children: [h("code", text)] };
      placeLineBreaks(root);
      expect(toString(root)).toBe(text);
    }),
  );
});
