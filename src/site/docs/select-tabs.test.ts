/**
 * Properties of tabs that the server selects, on HTML from the content pipeline:
 * 1. Only the chosen tab and its panel are shown, in every group that has it; other groups do not change.
 * 2. If the first tab is chosen, only the mark for the boot script changes.
 */
import { expect, it } from "vitest";
import { components } from "#docs/components/components.ts";
import { compilePage } from "#docs/content/page/compile-page.ts";
import { noFacts } from "#docs/content/facts/facts.ts";
import { selectTabs } from "./select-tabs.ts";

const tabs = (group: string, labels: string[], inner = "") =>
  `<Tabs group="${group}">\n${labels.map((label) => `<Tab label="${label}">\n\nText of ${label}.\n\n${inner}\n\n</Tab>`).join("\n")}\n</Tabs>`;

async function htmlOf(body: string): Promise<string> {
  const description = "What a reader has at the end of this page, said in some more words.";
  const source = `---\ntitle: Page\nnavTitle: Page\ndescription: ${description}\ntype: guide\npart: none\n---\n\nFirst.\n\n${body}\n`;
  const { page } = await compilePage("content/docs/page.mdx", source, { facts: noFacts, components });
  return page!.html;
}

const shownOf = (html: string) => ({
  selected: [...html.matchAll(/aria-selected="true"[^>]*>([^<]*)</g)].map(([, label]) => label),
  panels: [...html.matchAll(/role="tabpanel"[^>]*?( hidden)?><p>Text of (\w+)/g)].flatMap(
    ([, hidden, name]) => (hidden ? [] : [name]),
  ),
});

it("shows the chosen ones (1)", async () => {
  const inner = tabs("b", ["red", "green"]);
  const html = await htmlOf(
    `${tabs("a", ["one", "two"], inner)}\n\n${tabs("a", ["one", "three"])}\n\n${tabs("c", ["x", "two"])}`,
  );
  const chosen = selectTabs(
    html,
    new Map([
      ["a", "two"],
      ["b", "green"],
    ]),
  );
  expect(shownOf(html)).toEqual({
    selected: ["one", "red", "red", "one", "x"],
    panels: ["one", "red", "red", "one", "x"],
  });
  expect(shownOf(chosen)).toEqual({
    selected: ["two", "green", "green", "one", "x"],
    panels: ["green", "two", "green", "one", "x"],
  });
  expect(chosen.match(/data-chosen="(\w)"/g)).toEqual([
    'data-chosen="a"',
    'data-chosen="b"',
    'data-chosen="b"',
  ]);
  expect(chosen.match(/tabindex="-1"/g)).toHaveLength(html.match(/tabindex="-1"/g)!.length);
});

it("changes nothing else (2)", async () => {
  const html = await htmlOf(tabs("a", ["one", "two"]));
  expect(selectTabs(html, new Map([["a", "one"]]))).toBe(html.replace("data-group", "data-chosen"));
  expect(selectTabs(html, new Map([["a", "other"]]))).toBe(html);
  expect(selectTabs(html, new Map())).toBe(html);
});
