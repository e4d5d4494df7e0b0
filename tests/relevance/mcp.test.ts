/**
 * Agents' answers at `/mcp`, on the current pages:
 * 1. Every anchor of a page leads to its own section; only figures, which are not in a section, lead to the page.
 * 3. Every choice of a prompt has a page, and what a prompt always attaches exists.
 * 2. An agent's search has the hits of a reader's, in the same order, and each of its addresses can be read.
 */
import { expect, test } from "vitest";
import { createLibrary } from "#docs/mcp/library.ts";
import { findSections, sectionOfAnchor } from "#docs/mcp/page-sections.ts";
import { createPrompts } from "#docs/mcp/prompts.ts";
import { createResources } from "#docs/mcp/resources.ts";
import { createReadTool } from "#docs/mcp/read-page.ts";
import { createSearchTool } from "#docs/mcp/search-docs.ts";
import { search } from "#search/index.ts";
import { openDocsSearch } from "./docs-search.ts";

const ORIGIN = "https://millrace.example.com";
const { pages, index } = await openDocsSearch();
const library = createLibrary({ pages: [...pages], navigation: { top: [], sections: [] }, redirects: [] });

test("1. every anchor", () => {
  let found = 0;
  for (const page of pages) {
    const sections = new Map(findSections(page).map((section) => [section.id, section]));
    for (const heading of page.headings) {
      const section = sections.get(heading.id);
      const line = page.markdown.slice(section?.start, section?.end).split("\n")[0];
      expect(line, `${page.path}#${heading.id}`).toMatch(/^#{2,4} |^\d+\. \*\*/);
    }
    for (const anchor of page.anchors.filter((each) => !each.startsWith("figure-"))) {
      const id = sectionOfAnchor(page, anchor);
      expect(id !== null && sections.has(id), `${page.path}#${anchor}`).toBe(true);
      found += 1;
    }
  }
  expect(found).toBeGreaterThan(1000);
});

const textOf = ({ content }: { content: readonly { type: string }[] }): string => {
  const [first] = content;
  return first && "text" in first ? String(first.text) : "";
};

test.each([
  "turbo",
  "token expired",
  "exit code 3",
  "cache eviction",
  "buildx",
  "mcp server",
  "how do I log in",
])("2. %s", async (query) => {
  const tool = createSearchTool(
    {
      search: ({ queries: [asked] }) => {
        const { hits } = search(index, { q: asked?.q ?? "", limit: asked?.limit ?? 0 });
        return Promise.resolve({ results: [{ hits: hits.map(({ document }) => document) }] });
      },
      onError: (error) => {
        throw error;
      },
    },
    library,
  );
  const found = [...textOf(await tool.call({ query, limit: 20 })).matchAll(/^ {3}(https:\S+)$/gm)];
  const urls = found.map(([, url]) => url);
  expect(urls).toEqual(search(index, { q: query, limit: 20 }).hits.map(({ document }) => document["url"]));
  expect(urls.length).toBeGreaterThan(0);
  for (const page of urls) {
    const answer = await createReadTool(ORIGIN, library).call({ page });
    expect([page, answer.isError]).toEqual([page, undefined]);
  }
});

const CHOICES: { [prompt: string]: { least: number; attached: number } } = {
  set_up_cache: { least: 8, attached: 2 },
  diagnose_cache_miss: { least: 0, attached: 2 },
  write_dockerfile: { least: 8, attached: 2 },
  move_from: { least: 5, attached: 1 },
};

test("3. prompts", () => {
  const prompts = createPrompts(library, createResources(ORIGIN, library), ORIGIN);
  expect(prompts.list.map(({ name }) => name)).toEqual(Object.keys(CHOICES));
  for (const { name, arguments: [argument] = [] } of prompts.list) {
    const { least, attached } = CHOICES[name]!;
    const choices = argument?.description?.split(": ")[1]?.split(", ") ?? [];
    expect([name, choices.length >= least]).toEqual([name, true]);
    for (const choice of least === 0 ? ["no hits"] : choices) {
      const { messages } = prompts.get(name, { [argument!.name]: choice });
      expect([name, choice, messages.length]).toEqual([name, choice, 1 + attached]);
    }
  }
});
