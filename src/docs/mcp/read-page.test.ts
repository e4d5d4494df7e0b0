/**
 * 1. A page is found by its path and by its current or old address, also with `.md`, a slash, a query or a text fragment; an address
 *    of another site or scheme and an invalid address are refused with the reason.
 * 2. A current or old anchor gives its section; an unknown anchor is answered with the existing ones.
 * 3. The parts of a long text add up to the text; none is longer than the limit, and each names the next.
 * 4. Addresses in a text are this server's, and a page whose part does not run yet says so.
 * 5. Any other input is refused with a message.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { pageOf } from "../content/checks/page-fixture.ts";
import { emptyNavigation } from "../content/navigation/navigation.ts";
import type { Page } from "../content/types.ts";
import { createLibrary } from "./library.ts";
import { MAX_ADDRESS_LENGTH, MAX_NAMED_ANCHORS, MAX_PART_LENGTH } from "./limits.ts";
import { createReadTool } from "./read-page.ts";

const ORIGIN = "http://docs.test:3000";
const CACHE = pageOf({
  path: "/docs/cache/overview",
  title: "The cache of {{host}}",
  markdown: "# The cache\n\nAt {{origin}}/cache.\n\n## Limits\n\n10 GB.\n\n## More\n\nNo.\n",
  blocks: [
    { kind: "heading", depth: 2, id: "limits", text: "Limits" },
    { kind: "heading", depth: 2, id: "more", text: "More" },
  ],
  anchors: ["limits", "more", "figure-1"],
  renamed: { quotas: "limits" },
});

async function read(input: unknown, ...more: Page[]): Promise<{ text: string; isError: boolean }> {
  const redirects = [
    { from: "/docs/Old", to: "/docs/cache/overview", line: 1 },
    { from: "/docs/quotas", to: "/docs/cache/overview#limits", line: 2 },
  ];
  const library = createLibrary({ pages: [CACHE, ...more], navigation: emptyNavigation, redirects });
  const { content, isError = false } = await createReadTool(ORIGIN, library).call(input);
  const [first] = content;
  return { text: first?.type === "text" ? first.text : "", isError };
}

test.each([
  "/docs/cache/overview",
  "docs/cache/overview",
  "cache/overview/",
  " /docs/cache/overview.md ",
  `${ORIGIN}/docs/cache/overview?q=x`,
  `https://docs.test:3000/docs/cache/overview#:~:text=limits`,
  "/docs/cache/overview#figure-1",
  "/docs/old",
  `${ORIGIN}/docs/OLD.md`,
])("1. %s is the page", async (page) => {
  const { text, isError } = await read({ page });
  expect(isError).toBe(false);
  expect(text).toMatch(/^Source: http:\/\/docs\.test:3000\/docs\/cache\/overview\n\n# The cache\n/);
  expect(text).toContain("## More");
});

test.each([
  ["https://elsewhere.test/docs/cache/overview", `not an address of ${ORIGIN}`],
  ["//elsewhere.test/docs/cache/overview", `not an address of ${ORIGIN}`],
  ["file:///docs/cache/overview", `not an address of ${ORIGIN}`],
  ["javascript:alert(1)", `not an address of ${ORIGIN}`],
  ["http://[", `not an address of ${ORIGIN}`],
  ["/docs/../../etc/passwd", "There is no page"],
  ["/docs/constructor", "There is no page"],
  ["/", "There is no page"],
])("1. %s is refused", async (page, reason) => {
  expect(await read({ page })).toEqual({ text: expect.stringContaining(reason), isError: true });
});

test("2. sections", async () => {
  const section = `Source: ${ORIGIN}/docs/cache/overview#limits\nPart of: The cache of docs.test:3000\n\n## Limits\n\n10 GB.\n`;
  expect((await read({ page: "/docs/cache/overview#limits" })).text).toBe(section);
  expect((await read({ page: "/docs/cache/overview#quotas" })).text).toBe(section);
  expect((await read({ page: "/docs/cache/overview#limits:~:text=10" })).text).toBe(section);
  expect((await read({ page: "/docs/old#limits" })).text).toBe(section);
  expect((await read({ page: "/docs/quotas" })).text).toBe(section);
  for (const anchor of ["nowhere", "%zz", "constructor"])
    expect(await read({ page: `/docs/cache/overview#${anchor}` })).toEqual({
      text: expect.stringContaining("It has: #limits, #more."),
      isError: true,
    });
});

test("2. a page of very many sections names some", async () => {
  const names = Array.from({ length: 500 }, (_, at) => `section-${at}`);
  const long = pageOf({
    path: "/docs/long",
    markdown: names.map((name) => `## ${name}\n`).join("\n"),
    blocks: names.map((name) => ({ kind: "heading" as const, depth: 2, id: name, text: name })),
  });
  const { text } = await read({ page: "/docs/long#x" }, long);
  expect(text.match(/#section-/g)).toHaveLength(MAX_NAMED_ANCHORS);
});

test("3. parts", async () => {
  const line = fc
    .string({ maxLength: 400, unit: fc.constantFrom("a", "é", "😀", " ") })
    .map((text) => `x${text}`);
  const lines = fc.oneof(
    fc.array(line, { minLength: 150, maxLength: 400 }),
    // A line that is longer than a part.
    fc.integer({ min: MAX_PART_LENGTH, max: 3 * MAX_PART_LENGTH }).map((length) => ["y".repeat(length)]),
  );
  await fc.assert(
    fc.asyncProperty(lines, async (written) => {
      const markdown = written.join("\n");
      const long = pageOf({ path: "/docs/long", markdown });
      const parts: string[] = [];
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const { text, isError }: { text: string; isError: boolean } = await read(
          { page: "/docs/long", offset },
          long,
        );
        expect(isError).toBe(false);
        const body = text
          .slice(text.indexOf("\n\n") + 2)
          .replace(/\n\n\(Characters [^)]*\)\n$/, "")
          .trimEnd();
        expect(body.length).toBeLessThanOrEqual(MAX_PART_LENGTH);
        parts.push(body);
        const next = /with offset (\d+) for the next part/.exec(text)?.[1];
        offset = next === undefined ? undefined : Number(next);
      }
      const plain = (text: string) => text.replaceAll(/\s/g, "");
      expect(plain(parts.join(""))).toBe(plain(markdown));
      expect(parts.length).toBeGreaterThanOrEqual(Math.ceil(markdown.trim().length / MAX_PART_LENGTH));
    }),
    { numRuns: 20 },
  );
  expect(await read({ page: "/docs/cache/overview", offset: 9999 })).toEqual({
    text: expect.stringMatching(/nothing at offset 9999: this text has \d+ characters/),
    isError: true,
  });
});

test("4. addresses and previews", async () => {
  expect((await read({ page: "/docs/cache/overview" })).text).toContain(`At ${ORIGIN}/cache.`);
  const later = pageOf({ path: "/docs/agents", availability: "preview", markdown: "# Agents\n" });
  expect((await read({ page: "/docs/agents" }, later)).text).toContain(
    "\nPreview: what this page describes does not run yet.\n",
  );
});

test("5. other input", async () => {
  const wrong = fc.oneof(
    fc.jsonValue().filter((value) => typeof value !== "object"),
    fc.record({ page: fc.jsonValue().filter((value) => typeof value !== "string") }),
    fc.constant({ page: "x".repeat(MAX_ADDRESS_LENGTH + 1) }),
    fc.record({
      page: fc.constant("/docs/cache/overview"),
      offset: fc.constantFrom(-1, 0.5, "0", 1e300, null),
    }),
    fc.record({ page: fc.constant("/docs/cache/overview"), more: fc.string() }),
  );
  await fc.assert(
    fc.asyncProperty(wrong, async (input) => {
      const { text, isError } = await read(input);
      expect(isError).toBe(true);
      expect(text).toMatch(/^read_page cannot be called with this input: /);
      expect(text.length).toBeLessThan(2000);
    }),
  );
});
