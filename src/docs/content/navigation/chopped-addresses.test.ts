/**
 * 1. A folder without a page leads to its overview, its only page, the overview above it, or its first page in the tree.
 * 2. Each folder of each page is a page, an address that has moved, or leads to a page. No other address does, and a page or a
 *    line of redirects.yaml is never overruled.
 * 3. On the site, the addresses that readers try lead to the overview of their part.
 */
import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { choppedAddresses } from "./chopped-addresses.ts";
import { emptyNavigation, readNavigation } from "./navigation.ts";
import { pathOfFile } from "../page/page-file.ts";

const pagesOf = (paths: readonly string[]) =>
  paths.map((path) => ({
    path,
    file: `content${path}.mdx`,
    navTitle: path,
    availability: "available" as const,
  }));

function lead(paths: readonly string[], { tree = paths, moved = [] as string[] } = {}) {
  const source = JSON.stringify({ top: tree.map((to) => ({ to, label: to })), sections: [] });
  const { navigation } = readNavigation(source, "content/navigation.yaml", pagesOf(paths));
  const from = moved.map((path) => ({ from: path }));
  return Object.fromEntries(
    choppedAddresses(pagesOf(paths), navigation, from).map((each) => [each.from, each.to]),
  );
}

test.each<[string, string[], { [from: string]: string }]>([
  ["its overview", ["/docs/a/z", "/docs/a/overview"], { "/docs/a": "/docs/a/overview" }],
  [
    "its only page",
    ["/docs/a/overview", "/docs/a/b/start"],
    { "/docs/a": "/docs/a/overview", "/docs/a/b": "/docs/a/b/start" },
  ],
  [
    "the overview above",
    ["/docs/a/overview", "/docs/a/b/x", "/docs/a/b/y"],
    { "/docs/a": "/docs/a/overview", "/docs/a/b": "/docs/a/overview" },
  ],
  ["the first in the tree", ["/docs", "/docs/a/z", "/docs/a/b"], { "/docs/a": "/docs/a/z" }],
  ["none when there is a page", ["/docs/a", "/docs/a/b"], {}],
])("1. %s", (_name, paths, expected) => expect(lead(paths)).toEqual(expected));

test("2. each folder leads to a page", () => {
  const part = fc.constantFrom("a", "b", "c", "overview", "x-1");
  const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `/docs/${parts.join("/")}`);
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { maxLength: 12 }),
      fc.array(path, { maxLength: 3 }),
      fc.nat(),
      (paths, moved, cut) => {
        const answer = lead(paths, { tree: paths.slice(cut % (paths.length + 1)), moved });
        const folders = new Set(
          paths.flatMap((each) => {
            const parts = each.split("/");
            return parts.flatMap((_part, at) => (at > 2 ? [parts.slice(0, at).join("/")] : []));
          }),
        );
        const taken = new Set([...paths, ...moved]);
        expect(new Set(Object.keys(answer))).toEqual(
          new Set([...folders].filter((each) => !taken.has(each))),
        );
        for (const to of Object.values(answer)) expect(paths).toContain(to);
      },
    ),
  );
  expect(lead(["/docs/a/b"], { moved: ["/docs/A"] })).toEqual({});
});

test("3. on the site", () => {
  const files = readdirSync("content/docs", { recursive: true, encoding: "utf8" });
  const pages = pagesOf(
    files.filter((file) => file.endsWith(".mdx")).map((file) => pathOfFile(`content/docs/${file}`)),
  );
  const file = "content/navigation.yaml";
  const { navigation } = readNavigation(readFileSync(file, "utf8"), file, pages);
  expect(navigation).not.toEqual(emptyNavigation);
  const answer = new Map(choppedAddresses(pages, navigation, []).map(({ from, to }) => [from, to]));
  for (const part of ["cache", "api", "container-builds", "registry", "agents", "github-actions", "managed"])
    expect(answer.get(`/docs/${part}`)).toBe(`/docs/${part}/overview`);
  expect(answer.get("/docs/cli")).toBe("/docs/cli/installation");
  expect(answer.get("/docs/container-builds/how-to-guides")).toBe("/docs/container-builds/overview");
});
