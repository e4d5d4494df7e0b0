/**
 * 1. A page is found if folders of its path are renamed, left out or added, letters are wrong, or its ending or letter case
 *    differs; nothing is found if no path is near.
 * 2. No page is nearer than the found page, by a naive measure.
 * 3. A page of the site with a unique name is first below any other folders, and any page is first with one extra letter.
 * 4. Only the end of an address is read, whatever its content.
 */
import { readdirSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { pathOfFile } from "#docs/content/page/page-file.ts";
import { countTypos } from "./count-typos.ts";
import { createNearestPath, partsOf } from "./nearest-path.ts";

const pages = readdirSync("content/docs", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".mdx"))
  .map((file) => pathOfFile(`content/docs/${file}`))
  .filter((path) => path !== "/docs")
  .sort();
const find = createNearestPath(pages);
const nearest = (path: string) => pages[find(path)];

test.each([
  ["/docs/container-builds/docker-bake", "/docs/container-builds/how-to-guides/docker-bake"],
  ["/docs/turbo", "/docs/cache/reference/turbo"],
  ["/docs/turborepo", "/docs/cache/reference/turbo"],
  ["/docs/guides/reference/sccache", "/docs/cache/reference/sccache"],
  ["/docs/github-action/quickstrat", "/docs/github-actions/quickstart"],
  ["/docs/cache/overview/keys", "/docs/cache/overview"],
  ["/docs/Cache/Reference/Bazel.html", "/docs/cache/reference/bazel"],
  ["/docs/cache/overview/index.html", "/docs/cache/overview"],
  ["/docs/registry/overveiw", "/docs/registry/overview"],
  ["/docs/container-builds/cache-misses", "/docs/container-builds/troubleshooting/cache-misses"],
])("1. %s: %s", (path, page) => expect(nearest(path)).toBe(page));

test.each([
  "/docs",
  "/docs/",
  "/docs//",
  "/docs/!",
  "/docs/z",
  "/docs/xyzzy/quux",
  "/docs/foo/overview",
  "/docs/quickstart",
])("1. nothing is near %s", (path) => expect(nearest(path)).toBeUndefined());

/** Tries every way to pair the names of two paths in order. */
function measure([part, ...parts]: string[], page: string[]): number {
  if (part === undefined) return 0;
  return Math.max(
    measure(parts, page),
    ...page.map((name, at) => {
      const shorter = Math.min(part.length, name.length);
      const isBeginning = shorter >= 4 && (part.startsWith(name) || name.startsWith(part));
      const typos = [1, 0.75, 0.5][countTypos(part, name, shorter < 5 ? 1 : 2)] ?? 0;
      const likeness = part === name ? 1 : shorter < 3 ? 0 : Math.max(typos, isBeginning ? 0.6 : 0);
      return likeness === 0 ? 0 : likeness + measure(parts, page.slice(at + 1));
    }),
  );
}

const share = (parts: string[], page: string) => {
  const names = partsOf(page);
  return measure(parts, names) / Math.max(names.length, parts.length, 1);
};

const name = fc.constantFrom(...new Set(pages.flatMap(partsOf)), "guides", "v2", "reference");

test("2. no page is nearer", () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (parts) => {
      const found = nearest(`/docs/${parts.join("/")}`);
      const best = Math.max(...pages.map((page) => share(parts, page)));
      if (found === undefined) expect(best).toBeLessThanOrEqual(0.5);
      else expect(share(parts, found)).toBe(best > 0.5 ? best : share(parts, found));
    }),
  );
});

test("3. pages that have moved, and typing errors", () => {
  const ends = Map.groupBy(pages, (page) => partsOf(page).at(-1));
  const moved = fc.array(fc.constantFrom("guides", "v2", "qqq"), { minLength: 1, maxLength: 4 });
  const alone = pages.filter((page) => {
    const end = partsOf(page).at(-1) ?? "";
    return (
      [...ends.keys()].every(
        (other = "") =>
          other === end ||
          (!other.startsWith(end) && !end.startsWith(other) && countTypos(end, other, 2) > 2),
      ) && ends.get(end)?.length === 1
    );
  });
  expect(alone.length).toBeGreaterThan(20);
  fc.assert(
    fc.property(moved, fc.constantFrom(...alone), (folders, page) => {
      expect(nearest(`/docs/${[...folders, partsOf(page).at(-1)].join("/")}`)).toBe(page);
    }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...pages), fc.nat(), (page, at) => {
      const place = "/docs/".length + (at % (page.length - "/docs/".length));
      expect(nearest(`${page.slice(0, place)}q${page.slice(place)}`)).toBe(page);
    }),
  );
});

test("4. only the end is read", () => {
  const piece = fc.constantFrom(
    "cache",
    "/",
    "//",
    "%2F",
    "..",
    "é",
    "\u{1d4cd}",
    "\ud835",
    "<script>",
    "overview",
    "\0",
    "x".repeat(500),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
      const path = `/docs/${pieces.join("")}`;
      expect(partsOf(path).join("/").length).toBeLessThanOrEqual(200);
      expect(partsOf(path).length).toBeLessThanOrEqual(8);
      const found = find(path);
      expect(found).toBe(find(path.slice(-200)));
    }),
  );
  expect(nearest(`/docs/${"far/".repeat(3000)}turbo`)).toBe("/docs/cache/reference/turbo");
});
