/**
 * Properties of authors' components, on one page that uses all of them:
 * 1. The page compiles without a problem, and its HTML has the design's markup for each component.
 * 2. Ids are unique; tabs name their panels, panels their tabs; the first tab is chosen; every panel is in the document.
 * 3. The text inside a component is in the blocks: steps and questions as headings, hidden panels included.
 * 4. Tables are made from the facts; their rows can be linked, in HTML and in Markdown.
 * 5. No component remains in the Markdown.
 * 6. Hostile text in attributes stays text.
 * 7. Mistakes in components are reported at their line with the corrected component.
 */
import { describe, expect, test } from "vitest";
import { compilePage } from "#docs/content/page/compile-page.ts";
import { limitFactsSchema, partFactsSchema } from "#docs/content/facts/fact-schemas.ts";
import { cliFactsSchema } from "#docs/content/facts/reference-schemas.ts";
import { install } from "#docs/content/checks/page-fixture.ts";
import { noFacts, type Facts } from "#docs/content/facts/facts.ts";
import type { Page } from "#docs/content/types.ts";
import { components } from "./components.ts";

const facts: Facts = {
  ...noFacts,
  cli: cliFactsSchema.parse({
    install,
    commands: [
      {
        name: "build",
        summary: "Build on `{{host}}`.",
        synopsis: "millrace build [flags] <context>",
        passthrough: "docker buildx build",
        part: "container-builds",
        flags: [
          {
            name: "--project",
            value: "<id>",
            required: true,
            description: "The project.",
            env: "MILLRACE_PROJECT",
          },
          { name: "--save", default: "false", description: "Keep the image." },
        ],
      },
      { name: "login", summary: "Log in.", synopsis: "millrace login", part: "cli" },
    ],
  }),
  parts: partFactsSchema.parse({
    parts: [
      { id: "cli", name: "CLI", state: "available", page: "/docs/cli", summary: "Commands." },
      {
        id: "container-builds",
        name: "Builds",
        state: "preview",
        page: "/docs/builds",
        summary: "Builders.",
      },
    ],
  }),
  limits: limitFactsSchema.parse({
    limits: [{ id: "cache.quota", group: "Cache", name: "Size of a namespace", value: "50 GB" }],
  }),
};

const source = `---
title: Everything
navTitle: Everything
description: A page that uses every component once, so that each of them is proved to work.
type: guide
part: none
---

The quota is <Fact id="cache.quota" />.

<Callout type="warn" title="Forks have no identity">

Build them with \`--project\`.

</Callout>

## Install

<Tabs group="package-manager">
<Tab label="npm">

\`\`\`console
$ npm install
\`\`\`

</Tab>
<Tab label="pnpm">Use pnpm.</Tab>
</Tabs>

## Build

<Steps>
<Step title="Log in">

Open the page.

</Step>
<Step title="Build it">Run it.</Step>
</Steps>

\`\`\`diagram caption="The laptop sends files to the builder."
laptop -> builder: files
\`\`\`

<FlagTable command="build" />

<CommandTable />

<LimitTable group="Cache" />

<Figure src="/images/x.svg" alt="A mill" caption="The mill" />

## Questions

<FAQ>
<Question title="Does it work offline?">

No.

</Question>
</FAQ>

<Cards>
<Card title="Cache" href="/docs/cache/overview" icon="layers">What it *holds*.</Card>
<Card title="Registry" href="/docs/registry/overview">Where images are.</Card>
</Cards>
`;

async function compile(text: string): Promise<Page> {
  const { page, problems } = await compilePage("content/docs/x.mdx", text, { facts, components });
  expect(problems).toEqual([]);
  if (!page) throw new Error("The page did not compile.");
  return page;
}

const page = await compile(source);

describe("HTML", () => {
  test.each([
    ["fact", "<p>The quota is 50\u00a0GB.</p>"],
    [
      "callout",
      '<aside class="callout callout-warn" role="note"><svg class="icon" aria-hidden="true"><use href="{{sprite}}#l-triangle-alert"/></svg><div><p class="callout-title">Forks have no identity</p><p>Build them with <code class="flag">--project</code>.</p></div></aside>',
    ],
    [
      "tabs",
      '<div class="tabs" data-group="package-manager"><div role="tablist" aria-label="Package manager"><button role="tab" type="button" id="tab-package-manager-npm" aria-controls="tab-package-manager-npm-panel" aria-selected="true">npm</button><button role="tab" type="button" id="tab-package-manager-pnpm" aria-controls="tab-package-manager-pnpm-panel" aria-selected="false" tabindex="-1">pnpm</button></div>',
    ],
    [
      "hidden panel",
      '<div role="tabpanel" id="tab-package-manager-pnpm-panel" aria-labelledby="tab-package-manager-pnpm" hidden><p>Use pnpm.</p></div>',
    ],
    [
      "steps",
      '<ol class="steps"><li><h3 class="step-title" id="log-in">Log in</h3><p>Open the page.</p></li>',
    ],
    ["diagram", 'role="img" aria-labelledby="figure-build"'],
    [
      "diagram's caption",
      '<figcaption id="figure-build">The laptop sends files to the builder.</figcaption>',
    ],
    [
      "flag",
      '<tr id="flag-project"><td><code class="flag">--project &lt;id></code></td><td><span class="req">Required</span>. The project. Environment: <code>MILLRACE_<wbr>PROJECT</code>.</td>',
    ],
    ["preview mark", '<code>{{host}}</code>. <span class="preview">Preview</span>'],
    ["limit", '<tr id="limit-cache-quota"><td>Size of a namespace</td><td>50\u00a0GB</td>'],
    [
      "figure",
      '<figure class="figure"><a href="/images/x.svg" data-late="zoom"><img src="/images/x.svg" alt="A mill" loading="lazy" decoding="async"></a><figcaption>The mill</figcaption></figure>',
    ],
    ["question", '<details class="question"><summary>'],
    [
      "question's heading",
      '<h3 id="does-it-work-offline">Does it work offline?</h3></summary><div class="answer"><p>No.</p></div>',
    ],
    [
      "card",
      '<span class="card-title">Cache</span><span class="card-text">What it <em>holds</em>.</span></a>',
    ],
  ])("%s", (_name, html) => expect(page.html.replaceAll("> <span", "> <span")).toContain(html));

  test("ids are unique, and every reference has its target", () => {
    const ids = [...page.html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of page.html.matchAll(/aria-(?:controls|labelledby)="([^"]*)"/g))
      expect(ids).toContain(id);
  });
});

test("blocks have what is written in components", () => {
  const texts = page.blocks.map((block) => `${block.kind}: ${block.text.split("\n")[0]}`);
  for (const text of [
    "paragraph: Forks have no identity",
    "code: npm install",
    "paragraph: Use pnpm.",
    "heading: Log in",
    "paragraph: Open the page.",
    "paragraph: The laptop sends files to the builder.",
    "table: Flag | Description",
    "heading: Does it work offline?",
    "paragraph: No.",
    "list: Cache: What it holds.",
  ])
    expect(texts).toContain(text);
  expect(page.headings.map(({ text }) => text)).toEqual([
    "Install",
    "Build",
    "Questions",
    "Does it work offline?",
  ]);
  expect(page.anchors).toEqual(expect.arrayContaining(["log-in", "flag-save", "limit-cache-quota"]));
  expect(page.links.map(({ href }) => href)).toEqual(["/docs/cache/overview", "/docs/registry/overview"]);
});

test("Markdown", () => {
  expect(page.markdown).not.toMatch(/<\/?[A-Z]/);
  for (const text of [
    "> **Warning: Forks have no identity**\n>\n> Build them with `--project`.",
    "### npm\n\n```console\n$ npm install\n```",
    "1. **Log in**\n\n   Open the page.",
    "| `--project <id>` | _Required_. The project. Environment: `MILLRACE_PROJECT`. |",
    "Every flag of `docker buildx build` works as well.",
    "### Does it work offline?\n\nNo.",
    "- [Cache]({{origin}}/docs/cache/overview): What it _holds_.",
    "laptop -> builder: files",
  ])
    expect(page.markdown).toContain(text);
});

test("hostile text in attributes stays text", async () => {
  const hostile = source
    .replace("Forks have no identity", "<img src=x onerror=alert(1)>")
    .replace('label="npm"', "label='\"><script>'")
    .replace("/docs/cache/overview", "/docs/&quot;onclick=1");
  const { html, markdown } = await compile(hostile);
  const tags = html.replace(/="[^"]*"/g, "").match(/<[^>]*>/g) ?? [];
  expect(tags.filter((tag) => /script|onerror|onclick/.test(tag))).toEqual([]);
  expect(html).toContain('<p class="callout-title">&lt;img src=x onerror=alert(1)></p>');
  expect(markdown).not.toMatch(/^<img|[^\\]<img/m);
});

describe("mistakes", () => {
  const line = source.split("\n").findIndex((text) => text.startsWith("<Callout")) + 1;

  test.each([
    ['type="warn"', 'type="warning"', "attribute", 'type cannot be "warning". Did you mean "warn"?'],
    [' title="Forks have no identity"', "", "attribute", '<Callout> needs the attribute title="…".'],
    ["<Callout type", '<Callout kind="x" type', "attribute", '<Callout> has no attribute "kind".'],
    ['title="Forks have no identity"', "title={x}", "attribute", "has an expression as an attribute"],
    ["Callout", "Calout", "component", 'There is no component <Calout>. Did you mean "Callout"?'],
  ])("%s → %s", async (from, to, rule, message) => {
    const { problems } = await compilePage("content/docs/x.mdx", source.replaceAll(from, to), {
      facts,
      components,
    });
    expect(problems[0]).toMatchObject({ line, rule, severity: "error" });
    expect(problems[0]?.message).toContain(message);
  });

  test.each([
    [
      '<Step title="Log in">',
      'Text.\n\n<Step title="Log in">',
      "component",
      "Only <Step> can be directly inside <Steps>.",
    ],
    ['id="cache.quota"', 'id="cache.quotas"', "fact", 'Did you mean "cache.quota"?'],
    ['command="build"', 'command="bild"', "fact", 'Did you mean "build"?'],
    ["laptop -> builder: files", "laptop, builder", "diagram", '"laptop, builder" is not an arrow.'],
    ['alt="A mill" ', "", "attribute", "needs an alternative text"],
    ['href="/docs/cache/overview"', 'href="overview"', "link", '"overview" is not an absolute path.'],
    [
      '<FlagTable command="build" />',
      '<FlagTable command="build">x</FlagTable>',
      "component",
      "<FlagTable> has no content.",
    ],
  ])("%s → %s", async (from, to, rule, message) => {
    const { problems } = await compilePage("content/docs/x.mdx", source.replace(from, to), {
      facts,
      components,
    });
    expect(problems.map((problem) => `${problem.rule}: ${problem.message}`).join("\n")).toContain(
      `${rule}: `,
    );
    expect(problems.map((problem) => problem.message).join("\n")).toContain(message);
  });
});
