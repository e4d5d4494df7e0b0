/**
 * Properties of a compiled page, without authors' components (tested in src/docs/components/components.test.ts):
 * 1. Front matter and path become the page's fields; headings, anchors and links are found with their lines.
 * 2. Each mistake is reported once, at its line, under its rule, with a correction.
 * 3. Any text of a paragraph is unchanged in the blocks and escaped in the HTML.
 * 4. No address with a script, no tag and no attribute of the author's text reaches the HTML.
 * 5. `{{origin}}` and `{{host}}` survive everywhere: text, code, links, headings, description.
 * 6. A renamed anchor still leads to its place, and is not one of the page's anchors.
 * 7. The Markdown stands on its own: title first, absolute links.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePage } from "./compile-page.ts";
import { fileOfPath, pathOfFile } from "./page-file.ts";
import type { Components } from "../blocks/component.ts";
import { noFacts } from "../facts/facts.ts";
import { formatProblem } from "../problem.ts";
import type { Page } from "../types.ts";

const components: Components = { elements: {}, fences: {} };
const head = `---
title: Layer cache
navTitle: Cache
description: What the layer cache holds, who shares it, and how a build finds its layers again.
type: explain
part: cache
---
`;
const firstLine = head.split("\n").length;

function compile(body: string, frontMatter = head) {
  return compilePage("content/docs/cache/layers.mdx", frontMatter + body, { facts: noFacts, components });
}

async function page(body: string): Promise<Page> {
  const { page: compiled, problems } = await compile(body);
  expect(problems).toEqual([]);
  if (!compiled) throw new Error("The page did not compile.");
  return compiled;
}

describe("fields", () => {
  test("path, headings, anchors and links with lines", async () => {
    const result = await page(
      "See [limits](/docs/cache/overview#limits).\n\n## How it `works`\n\n### Details\n\nText.\n",
    );
    expect(result).toMatchObject({
      path: "/docs/cache/layers",
      title: "Layer cache",
      part: "cache",
      headings: [
        { depth: 2, id: "how-it-works", text: "How it works" },
        { depth: 3, id: "details", text: "Details" },
      ],
      anchors: ["how-it-works", "details"],
      links: [{ href: "/docs/cache/overview#limits", line: firstLine }],
    });
    expect(result.html).toContain('<h2 id="how-it-works">How it <code>works</code><a class="anchor"');
  });

  test("an index page is its folder", () => {
    for (const [file, path] of [
      ["content/docs/index.mdx", "/docs"],
      ["content/docs/cache/overview.mdx", "/docs/cache/overview"],
    ] as const) {
      expect(pathOfFile(file)).toBe(path);
      expect(fileOfPath(path)).toBe(file);
    }
  });

  test("blocks are the text in reading order", async () => {
    const { blocks } = await page(
      'First.\n\n- one\n- two\n  - deep\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js title="a.js"\nlet x\n```\n',
    );
    expect(blocks).toEqual([
      { kind: "paragraph", text: "First." },
      { kind: "list", text: "one\ntwo\n  deep" },
      { kind: "table", text: "a | b\n1 | 2", columns: ["a", "b"], rows: [{ id: null, cells: ["1", "2"] }] },
      { kind: "code", text: "let x", title: "a.js" },
    ]);
  });
});

test("old anchors lead to the new place", async () => {
  const frontMatter = head.replace("type:", "renamed: { limits: quotas }\ntype:");
  const { page: compiled } = await compile("Text.\n\n## Quotas\n", frontMatter);
  expect(compiled?.html).toContain('<h2 id="quotas"><span id="limits"></span>Quotas');
  expect(compiled).toMatchObject({ anchors: ["quotas"], renamed: { limits: "quotas" } });
});

describe("mistakes", () => {
  test.each([
    ["# Title\n\nText", "heading-level", 0, "## Title"],
    ["Text\n\n### Deep", "heading-level", 2, "## Deep"],
    ["Text\n\n## A\n\n## A", "heading-id", 4, "## A <say which one>"],
    ["Text {1 + 1}", "expression", 0, "`{1 + 1}`"],
    ["import x from 'y'\n\nText", "expression", 0, "Remove the line"],
    ["Text\n\n![](/images/x.svg)", "alt", 2, "![what the image shows](/images/x.svg)"],
    ["Text [a](overview.mdx#b)", "link", 0, "[a](/docs/overview#b)"],
    ["Text [a](javascript:alert(1))", "link", 0, "a"],
    ["Text\n\n```yml2\na\n```", "code", 2, "```yml"],
    ["Text\n\n```\na\n```", "code", 2, "```text"],
    ["Text\n\n```yaml {4}\na: 1\n```", "code", 2, "```yaml {1}"],
    ['Text\n\n```yaml tilte="x"\na: 1\n```', "code", 2, ""],
    ["Text\n\n<Calout />", "component", 2, "CONTRIBUTING.md"],
    ["Text <kbd>B</kbd>", "component", 0, "Write Markdown"],
    ["Text with a <org> in it", "syntax", 0, "Text with a `<org>` in it"],
    ["Text <https://a.example>", "syntax", 0, "Text [https://a.example](https://a.example)"],
    ['Text\n\n<Callout type="info" title="a">', "syntax", 2, "</Callout>"],
    ["## Start\n\nText", "page-start", 0, "Put a paragraph first."],
  ])("%j is %s", async (body, rule, line, fix) => {
    const { problems } = await compile(body);
    const found = problems.filter((problem) => problem.rule === rule);
    expect(found.map((problem) => problem.line)).toContain(firstLine + line);
    expect(found.map((problem) => problem.fix).join("\n")).toContain(fix);
  });

  test.each([
    [head.replace("title: Layer cache\n", ""), 2, '"title" is missing.'],
    [head.replace("Cache\n", `${"x".repeat(29)}\n`), 3, '"navTitle" has 29 characters; the maximum is 28.'],
    [head.replace("type: explain", "type: story"), 5, '"type" is "story"'],
    [head.replace("navTitle", "navtitle"), 3, '"navtitle" is unknown. Did you mean "navTitle"?'],
    [head.replace("What the", "What: the"), 4, "Not YAML"],
    ["", 1, "no front matter"],
  ])("front matter %#", async (frontMatter, line, message) => {
    const { page: compiled, problems } = await compile("Text.", frontMatter);
    expect(compiled).toBeNull();
    const found = problems.find((problem) => problem.message.includes(message));
    expect(found).toMatchObject({ rule: "front-matter", line });
  });

  test("a file that starts with a byte order mark, and has line ends of Windows, has no mistake", async () => {
    const { page: compiled, problems } = await compile("Text.", `\uFEFF${head}`.replaceAll("\n", "\r\n"));
    expect(problems).toEqual([]);
    expect(compiled?.title).toBe("Layer cache");
  });

  test("is shown as file:line, rule, message and the corrected snippet", async () => {
    const { problems } = await compile("Text\n\n### Deep");
    expect(problems.map(formatProblem)).toEqual([
      `content/docs/cache/layers.mdx:${firstLine + 2}  heading-level  The heading skips from level 1 to 3.\n    ## Deep`,
    ]);
  });
});

describe("text", () => {
  test("any text in a paragraph survives and is escaped", async () => {
    const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(words, async (raw) => {
        const text = `a${raw.replace(/\s+/g, " ").replaceAll("`", "")}z`;
        const escaped = text.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
        const { page: compiled } = await compile(`${escaped}\n`);
        expect(compiled?.blocks).toEqual([{ kind: "paragraph", text: text.replace(/\s+/g, " ") }]);
        expect(compiled?.html).not.toMatch(/<(?!\/?p>)/);
        expect(compiled?.html).not.toMatch(/&(?!amp;|lt;|gt;|#|\w+;)/);
      }),
      { numRuns: 150 },
    );
  });

  test("no script and no attribute of the author's", async () => {
    const { page: compiled } = await compile(
      'Text [a](javascript:alert(1)) [b](<data:text/html,x> "onload=1")\n\n## &lt;script>alert(1)&lt;/script> "x" onclick=1\n',
    );
    expect(compiled?.html).not.toMatch(/javascript:|="data:/);
    const tags = compiled?.html.replace(/="[^"]*"/g, "").match(/<[^>]*>/g) ?? [];
    expect(tags.length).toBeGreaterThan(0);
    for (const tag of tags)
      expect(tag).toMatch(/^<\/?(p|a|h2|svg|use)( (title|href|id|class|aria-label|aria-hidden))*\/?>$/);
  });
});

describe("placeholders and Markdown", () => {
  test("survive everywhere", async () => {
    const body =
      "Open {{origin}}/x or `{{host}}`: [docs]({{origin}}/docs).\n\n## At {{host}}\n\n```bash\ncurl {{origin}}/v2/\n```\n";
    const result = await page(body);
    expect(result.html).toContain('<a href="{{origin}}/docs">');
    expect(result.html).toContain("<code>{{host}}</code>");
    expect(result.html).toContain("{{origin}}/v2/");
    expect(result.headings).toEqual([{ depth: 2, id: "at-host", text: "At {{host}}" }]);
    expect(result.markdown).toContain("curl {{origin}}/v2/");
    expect(JSON.stringify(result)).not.toContain("qZ");
  });

  test("Markdown stands on its own", async () => {
    const { markdown } = await page("See [limits](/docs/cache/overview#limits).\n");
    expect(markdown).toBe(
      "# Layer cache\n\nWhat the layer cache holds, who shares it, and how a build finds its layers again.\n\nSee [limits]({{origin}}/docs/cache/overview#limits).\n",
    );
  });
});
