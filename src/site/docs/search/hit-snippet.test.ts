/**
 * 1. A paragraph shows the text around the place with the most different matches; a heading, the sentence
 *    below it.
 * 2. Code shows the line with the most different matches and its neighbours, without their shared indent and
 *    without blank lines; no text and no mark is lost.
 * 3. A row shows each cell with the name of its column, whatever the names are.
 * 4. A hit with neither text has no snippet.
 */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { snippetOf } from "./hit-snippet.ts";
import type { TextPart } from "./hit-text.ts";
import type { DocsHit } from "./protocol.ts";

const PRE = "__ais-highlight__";
const POST = "__/ais-highlight__";

/** Marks the text between brackets. */
function hitOf(fields: Partial<DocsHit> & { content: string }): DocsHit {
  const plain = (text: string) => text.replace(/[[\]]/g, "");
  const { content, summary } = fields;
  const marked = (text: string) => text.replaceAll("[", PRE).replaceAll("]", POST);
  return {
    objectID: "1",
    url: "https://site.test/docs",
    ...fields,
    content: plain(content),
    ...(summary && { summary: plain(summary) }),
    _formatted: { content: marked(content), ...(summary && { summary: marked(summary) }) },
  };
}

const show = (parts: TextPart[]) => parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join("");

it("shows where the most words are together (1)", () => {
  const filler = "Nothing of that is in here. ".repeat(12);
  const content = `A [cache] of layers. ${filler}To [empty] the [cache] run prune. ${filler}The [cache].`;
  const snippet = snippetOf(hitOf({ type: "content", content }));
  expect(snippet?.kind).toBe("text");
  expect(snippet?.kind === "text" && show(snippet.parts)).toMatch(
    /^… .*To \[empty\] the \[cache\] run prune.* …$/,
  );
});

it("shows the sentence below a heading (1)", () => {
  const hit = hitOf({ type: "lvl2", content: "null", summary: "A [layer] is a step." });
  expect(snippetOf(hit)).toEqual({
    kind: "text",
    parts: [
      { text: "A ", isMatch: false },
      { text: "layer", isMatch: true },
      { text: " is a step.", isMatch: false },
    ],
  });
});

it("shows the line of code that matched (2)", () => {
  const content =
    "compose.yaml\nservices:\n  web:\n    [image]: nginx\n\n    [image]: [acme]/web\n    ports: []\n  db:";
  const snippet = snippetOf(hitOf({ type: "code", content: content.replace("[]", "80") }));
  expect(snippet?.kind === "code" && snippet.lines.map(show)).toEqual(["[image]: [acme]/web", "ports: 80"]);
  const first = snippetOf(hitOf({ type: "code", content: "npm ci\n  npm test" }));
  expect(first?.kind === "code" && first.lines.map(show)).toEqual(["npm ci", "  npm test"]);
});

it("leaves the matches of a line of code as they are (2)", () => {
  const piece = fc.constantFrom("a", "[b]", "[c]", " ", "\n", "\t");
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), (pieces) => {
      const content = `x${pieces.join("")}`;
      const snippet = snippetOf(hitOf({ type: "code", content }));
      if (snippet?.kind !== "code") throw new Error("No code.");
      const lines = content.replaceAll("][", "").split("\n");
      const shown = snippet.lines.map((line) => show(line).trim());
      for (const line of shown) expect(lines.map((each) => each.trim())).toContain(line);
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.some((line) => line.includes("["))).toBe(content.includes("["));
    }),
  );
});

it.each([
  [
    ["Flag", "Meaning", ""],
    ["Flag", "Meaning", ""],
  ],
  [["Flag"], ["Flag", "", ""]],
  ["Flag", ["", "", ""]],
  [undefined, ["", "", ""]],
  [
    [1, null, {}],
    ["", "", ""],
  ],
])("shows the cells of a row under %j (3)", (columns, names) => {
  const snippet = snippetOf(hitOf({ type: "row", content: "--[save]\tKeep it: yes.\t", columns }));
  if (snippet?.kind !== "row") throw new Error("No row.");
  expect(snippet.cells.map(({ column }) => column)).toEqual(names);
  expect(snippet.cells.map(({ parts }) => show(parts))).toEqual(["--[save]", "Keep it: yes.", ""]);
});

it("shows nothing where there is no text (4)", () => {
  expect(snippetOf({ objectID: "1", url: "/docs", content: "null" })).toBeNull();
  expect(snippetOf({ objectID: "1", url: "/docs", type: "code" })).toBeNull();
});
