/**
 * Properties of the "Preview" mark on parts that do not run yet, on a page about a part that runs:
 * 1. The first link to a page of such a part has it, and the first of its names; so has each card. Headings, code and anchors
 *    do not change.
 * 2. A section has it once for each part, and once in each item, row, question and tab, unless the section has it.
 * 3. An author's own mark counts. It keeps its place, and no other is added.
 * 4. HTML, Markdown and the text for search agree.
 * 5. When the part runs, no mark remains, nor the white space next to it. A page about the part has no mark either.
 * 6. A part that does not exist is a problem.
 * 8. The sentence of `<State>` names the part and has its mark; when the part runs, neither it nor its paragraph exists.
 * 7. A page's part is read from its front matter, and a change of state recompiles the pages that link to it.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { components } from "../../components/components.ts";
import { compilePage } from "./compile-page.ts";
import { partFactsSchema } from "../facts/fact-schemas.ts";
import { type Facts, noFacts } from "../facts/facts.ts";
import { loadContent } from "../load-content.ts";

function factsWith(state: "preview" | "available"): Facts {
  const part = (id: string, own: object) => ({ id, name: id, page: `/docs/${id}`, summary: "It.", ...own });
  return {
    ...noFacts,
    parts: partFactsSchema.parse({
      parts: [
        part("cache", { state: "available" }),
        part("runners", { state, names: ["Millrace runner"] }),
        part("agents", { state }),
      ],
    }),
  };
}

const toCome = new Map([
  ["/docs/runners", "runners"],
  ["/docs/runners/types", "runners"],
  ["/docs/agents", "agents"],
]);

async function compile(body: string, { state = "preview", part = "cache" } = {}) {
  const source = `---\ntitle: Page\nnavTitle: Page\ndescription: What a page says of the parts that do not run yet, in all places.\ntype: guide\npart: ${part}\n---\n\n${body}\n`;
  const isWaiting = state === "preview";
  const { page, problems } = await compilePage("content/docs/x.mdx", source, {
    facts: factsWith(isWaiting ? "preview" : "available"),
    components,
    toCome: isWaiting ? toCome : new Map(),
  });
  if (!page) throw new Error(JSON.stringify(problems));
  return { ...page, problems, text: page.markdown.split("\n").slice(4).join("\n").trim() };
}

const MARK = '<span class="preview">Preview</span>';

test("1. links, names and cards", async () => {
  const page = await compile(
    "See [types](/docs/runners/types#sizes) or [the cache](/docs/cache).\n\n## A Millrace runner\n\n" +
      "`Millrace runner` is a name. Two Millrace runners, or a millrace runner.\n\n```text\nMillrace runner\n```\n\n" +
      '<Cards>\n<Card title="Runners" href="/docs/runners">One.</Card>\n<Card title="Cache" href="/docs/cache">Two.</Card>\n' +
      '<Card title="Types" href="/docs/runners/types">Three.</Card>\n</Cards>',
  );
  expect(page.html).toContain(`types</a> ${MARK} or <a href="/docs/cache">the cache</a>.`);
  expect(page.text).toContain(
    "`Millrace runner` is a name. Two Millrace runners _Preview_, or a millrace runner.",
  );
  expect(page.html).toContain(`<span class="card-title">Runners ${MARK}</span>`);
  expect(page.html).toContain(`<span class="card-title">Cache</span>`);
  expect(page.html).toContain(`<span class="card-title">Types ${MARK}</span>`);
  expect(page.html.split(MARK)).toHaveLength(5);
  expect(page.headings).toEqual([{ depth: 2, id: "a-millrace-runner", text: "A Millrace runner" }]);
  expect(page.problems).toEqual([]);
});

test("2. once for who reads on", async () => {
  const { text } = await compile(
    "A [runner](/docs/runners), [another](/docs/runners) and an [agent](/docs/agents).\n\nMillrace runner.\n\n" +
      "- [not again](/docs/runners)\n\n## Next\n\n- [one](/docs/runners)\n- [two](/docs/runners)\n\n" +
      "| Where | What |\n| --- | --- |\n| [a](/docs/runners) | Millrace runner |\n| b | Millrace runner |\n\n" +
      '## Questions\n\n<FAQ>\n<Question title="One?">\n\nMillrace runner.\n\n</Question>\n<Question title="Two?">\n\nMillrace runner.\n\n</Question>\n</FAQ>',
  );
  const lines = text.split("\n").filter((line) => /^[^#]*(?:runner|one|two)/i.test(line));
  expect(lines.map((line) => line.split("_Preview_").length - 1)).toEqual([2, 0, 0, 1, 1, 1, 1, 1, 1]);
});

test("3. an author's own", async () => {
  const own = '[Runners](/docs/runners), that is <Preview part="runners" /> machines. Millrace runner.';
  const { html } = await compile(
    `${own}\n\n| A | B |\n| --- | --- |\n| [a](/docs/runners) | <Preview part="runners" /> b |`,
  );
  expect(html.split(MARK)).toHaveLength(3);
  expect(html).toContain(`that is ${MARK} machines`);
  expect(html).toContain(`<td>${MARK} b</td>`);
});

test("4. the same in HTML, Markdown and the text for the search", async () => {
  const page = await compile('A [runner](/docs/runners) takes it.\n\n- <Preview part="agents" /> Agents.');
  expect(page.html).toContain(`runner</a> ${MARK} takes it.`);
  expect(page.text).toBe("A [runner]({{origin}}/docs/runners) _Preview_ takes it.\n\n- _Preview_ Agents.");
  expect(page.blocks.map(({ text }) => text)).toEqual(["A runner (Preview) takes it.", "(Preview) Agents."]);
});

test("5. once it runs", async () => {
  const marks = (own: string) =>
    `${own}A runner${own} takes it, as [they](/docs/runners) do${own}.\n\n- Millrace runner${own}\n\n| A | B |\n| --- | --- |\n| a${own} | ${own}b |`;
  const plain = await compile(marks(""), { state: "available" });
  expect(plain.text).not.toContain("Preview");
  for (const own of [' <Preview part="runners" />', '<Preview part="runners" /> ']) {
    const page = await compile(marks(own).replace(/^ /, ""), { state: "available" });
    expect(page.text.replace(/ {2,}/g, " ").replace(/ (?=[.,])/g, "")).toBe(plain.text);
    expect(page.html).not.toContain("preview");
  }
  const about = await compile("A [runner](/docs/runners) and an [agent](/docs/agents).", { part: "runners" });
  expect([about.availability, about.html.includes(MARK)]).toEqual(["preview", false]);
});

test("6. unknown parts", async () => {
  const { problems } = await compile('A <Preview part="runner" /> b. <State part="runner" />');
  const message = 'fact: content/facts/parts.yaml has no part "runner". Did you mean "runners"?';
  expect(problems.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([message, message]);
});

test("8. a sentence", async () => {
  const source = 'Start.\n\n<State part="runners" />\n\nAlone <State part="runners" />\n\n- Millrace runner.';
  const sentence =
    "_Preview_ Not in this release yet: runners. [What exists]({{origin}}/docs/core-concepts/what-exists) lists what is available.";
  const waits = await compile(source);
  expect(waits.text).toBe(`Start.\n\n${sentence}\n\nAlone ${sentence}\n\n- Millrace runner.`);
  expect(waits.html).toContain(`<p>${MARK} Not in this release yet: `);
  const runs = await compile(source, { state: "available" });
  expect(runs.text).toBe("Start.\n\nAlone\n\n- Millrace runner.");
  expect(runs.html).not.toContain("<p></p>");
});

test("7. of a folder", async () => {
  const root = mkdtempSync(join(tmpdir(), "marks-"));
  try {
    mkdirSync(join(root, "content/docs"), { recursive: true });
    const page = (name: string, part: string, body: string) =>
      writeFileSync(
        join(root, `content/docs/${name}.mdx`),
        `---\ntitle: ${name}\nnavTitle: ${name}\ndescription: A page of a folder whose parts are read before any page is compiled.\ntype: guide\npart: ${part}\n---\n\n${body}\n`,
      );
    cpSync("content/navigation.yaml", join(root, "content/navigation.yaml"));
    page("cache", "cache", "See [types](/docs/types).");
    page("types", '"runners"', "See [the cache](/docs/cache).");
    page("all", "all", "See [types](/docs/types).");
    const marked = async (state: "preview" | "available") => {
      const cache = { folder: join(root, "cache"), version: "1" };
      const facts = { facts: factsWith(state), problems: [] };
      const { pages } = await loadContent({ root, components, cache, facts });
      return pages.map(({ path, availability, html }) => [path, availability, html.includes(MARK)]);
    };
    const runs = [
      ["/docs/all", "available", false],
      ["/docs/cache", "available", false],
      ["/docs/types", "available", false],
    ];
    expect(await marked("preview")).toEqual([
      ["/docs/all", "available", true],
      ["/docs/cache", "available", true],
      ["/docs/types", "preview", false],
    ]);
    expect(await marked("available")).toEqual(runs);
  } finally {
    rmSync(root, { recursive: true });
  }
});
