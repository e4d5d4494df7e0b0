/**
 * 1. Every page is listed once, however many there are, also while pages come and go between two lists.
 * 2. A cursor that is not from a list of this server is refused.
 * 3. A resource is the whole page, at every form of its address; anything else does not exist.
 */
import { expect, test } from "vitest";
import { pageOf } from "../content/checks/page-fixture.ts";
import { emptyNavigation } from "../content/navigation/navigation.ts";
import type { Page } from "../content/types.ts";
import { createLibrary } from "./library.ts";
import { MAX_PART_LENGTH, RESOURCES_PER_LIST } from "./limits.ts";
import { createResources } from "./resources.ts";

const ORIGIN = "http://docs.test";
const MANY = Array.from({ length: 2 * RESOURCES_PER_LIST + 1 }, (_, at) =>
  pageOf({ path: `/docs/p${String(at).padStart(3, "0")}`, title: `Page ${at}` }),
);
const open = (pages: Page[]) =>
  createResources(
    ORIGIN,
    createLibrary({
      pages,
      navigation: emptyNavigation,
      redirects: [{ from: "/docs/old", to: "/docs/long", line: 1 }],
    }),
  );

test("1. lists", () => {
  const first = open(MANY).list(undefined);
  expect(first.resources).toHaveLength(RESOURCES_PER_LIST);
  expect(first.resources[0]).toEqual({
    uri: `${ORIGIN}/docs/p000.md`,
    name: "/docs/p000",
    title: "Page 0",
    description: expect.any(String),
    mimeType: "text/markdown",
  });
  // Pages before the cursor are gone, and the last page shown is too.
  const fewer = open(MANY.filter((_, at) => at > 20 && at !== RESOURCES_PER_LIST - 1));
  const second = fewer.list(first.nextCursor);
  const third = fewer.list(second.nextCursor);
  const names = [first, second, third].flatMap(({ resources }) => resources.map(({ name }) => name));
  expect(names).toEqual(MANY.map(({ path }) => path));
  expect([third.resources.length, third.nextCursor]).toEqual([1, undefined]);
  expect(open([]).list(undefined)).toEqual({ resources: [] });
  expect(open(MANY.slice(0, RESOURCES_PER_LIST)).list(undefined).nextCursor).toBeUndefined();
});

test.each(["", "x", "!", Buffer.from("docs").toString("base64url"), "x".repeat(5000), "L2RvY3M="])(
  "2. the cursor %s",
  (cursor) => {
    expect(() => open(MANY).list(cursor)).toThrow("cursor");
  },
);

test("3. a page", () => {
  const markdown = `# Long\n\n${"word ".repeat(MAX_PART_LENGTH)}\n\nAt {{origin}}.\n`;
  const { read } = open([pageOf({ path: "/docs/long", markdown, availability: "preview" })]);
  for (const uri of ["/docs/long.md", "/docs/long", "/docs/old.md"]) {
    const { uri: own, mimeType, text } = read(ORIGIN + uri);
    expect([own, mimeType]).toEqual([`${ORIGIN}/docs/long.md`, "text/markdown"]);
    expect(text).toContain(`At ${ORIGIN}.`);
    expect(text.indexOf("# Long")).toBeGreaterThan(0);
  }
  for (const uri of [
    "http://other.test/docs/long.md",
    `${ORIGIN}/docs/none.md`,
    "file:///etc/passwd",
    "",
    "x".repeat(5000),
  ])
    expect(() => read(uri)).toThrow();
});
