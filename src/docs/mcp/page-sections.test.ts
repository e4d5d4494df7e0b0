/**
 * 1. A section begins at its heading and ends before the next heading outside it; a step ends before the next step.
 * 2. Text that only looks like a heading, in code or as the label of a tab, does not count.
 * 3. The anchor of a table row leads to the section that contains the table; an unknown anchor leads nowhere.
 */
import { expect, test } from "vitest";
import type { Block } from "../content/types.ts";
import { findSections, sectionOfAnchor } from "./page-sections.ts";

const heading = (depth: number, id: string, text: string): Block => ({ kind: "heading", depth, id, text });
const MARKDOWN = `# Cache

What it is.

## Set \`up\` a [cache](https://docs.example.com/docs/cache)

1. **Log in**

   \`\`\`\`console
   \`\`\`
   ## Limits
   \`\`\`\`

2. **Say where**

   Anywhere.

### Docker

A tab.

### Docker

A section.

## Limits

| Name | Value |
| - | - |
| size | 10 GB |
`;
const BLOCKS: Block[] = [
  heading(2, "set-up", "Set up a cache"),
  heading(3, "log-in", "Log in"),
  heading(3, "say-where", "Say where"),
  heading(2, "gone", "Not in the Markdown"),
  heading(2, "limits", "Limits"),
  {
    kind: "table",
    text: "",
    columns: ["Name", "Value"],
    rows: [
      { id: null, cells: [] },
      { id: "limit-size", cells: ["size", "10 GB"] },
    ],
  },
];
const textOf = (id: string) => {
  const { start, end } = findSections({ markdown: MARKDOWN, blocks: BLOCKS }).find((each) => each.id === id)!;
  return MARKDOWN.slice(start, end);
};

test("1. and 2. where sections begin and end", () => {
  expect(findSections({ markdown: MARKDOWN, blocks: BLOCKS }).map(({ id }) => id)).toEqual([
    "set-up",
    "log-in",
    "say-where",
    "limits",
  ]);
  expect(textOf("set-up")).toMatch(/^## Set `up`[^]*A section\.\n\n$/);
  expect(textOf("log-in")).toMatch(/^1\. \*\*Log in\*\*[^]*## Limits\n {3}````\n\n$/);
  expect(textOf("say-where")).toBe("2. **Say where**\n\n   Anywhere.\n\n");
  expect(textOf("limits")).toMatch(/^## Limits\n\n\| Name[^]*10 GB \|\n$/);
});

test("2. the heading is taken, not a tab's label before it", () => {
  const markdown = "## One\n\n#### Docker\n\nTab.\n\n### Docker\n\nSection.\n";
  const blocks = [heading(2, "one", "One"), heading(3, "docker", "Docker")];
  const { start } = findSections({ markdown, blocks }).at(-1)!;
  expect(markdown.slice(start)).toBe("### Docker\n\nSection.\n");
});

test("3. anchors of rows", () => {
  const lead = (anchor: string) => sectionOfAnchor({ blocks: BLOCKS }, anchor);
  expect([lead("limit-size"), lead("say-where"), lead("nowhere"), lead("")]).toEqual([
    "limits",
    "say-where",
    null,
    null,
  ]);
});
