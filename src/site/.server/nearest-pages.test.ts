/**
 * 1. The page with the nearest path is first (nearest-path.test.ts). Others share words with the address, also as prefixes or with
 *    typos, or are the page above it or the first page below it; at most five, best first, and none if no word resembles a page's
 *    word.
 * 2. Only a limited part of an address is read, whatever its length: a few short words without markup.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addressWords, createNearestPages } from "./nearest-pages.ts";

const page = (path: string, title: string) => ({ path, title, section: "" });
const nearest = createNearestPages([
  page("/docs", "Get started"),
  page("/docs/cache/overview", "How the cache works"),
  page("/docs/cache/authentication", "Cache authentication"),
  page("/docs/cache/reference/turbo", "Use the build cache with Turborepo"),
  page("/docs/container-builds/overview", "How builds work"),
  page("/docs/container-builds/how-to-guides/docker-bake", "Build many images with Docker Bake"),
  page("/docs/container-builds/how-to-guides/docker-build", "Replace docker build"),
  page("/docs/dockerfiles/python", "A Dockerfile for Python"),
  page("/docs/github-actions/quickstart", "Quickstart: your first runner"),
]);

test.each([
  ["/docs/container-builds/docker-bake", "/docs/container-builds/how-to-guides/docker-bake"],
  ["/docs/docker-bake/docker-build", "/docs/container-builds/how-to-guides/docker-build"],
  ["/docs/turborepo", "/docs/cache/reference/turbo"],
  ["/docs/cache", "/docs/cache/overview"],
  ["/docs/cache/overview/keys", "/docs/cache/overview"],
  ["/docs/github-action/quickstrat", "/docs/github-actions/quickstart"],
  ["/docs/guides/pyhton.html", "/docs/dockerfiles/python"],
  ["/docs/CACHE-Authentification", "/docs/cache/authentication"],
])("1. %s: %s", (path, best) => {
  const found = nearest(path).map((near) => near.path);
  expect(found[0]).toBe(best);
  expect(found.length).toBeLessThanOrEqual(5);
  expect(new Set(found).size).toBe(found.length);
});

test.each(["/docs/xyzzy", "/docs/", "/docs//", "/docs/!", "/docs/z"])("1. nothing is near %s", (path) => {
  expect(nearest(path)).toEqual([]);
});

test("2. few words of few letters", () => {
  const piece = fc.constantFrom(
    "cache",
    "a",
    "/",
    "-",
    "<script>",
    '"',
    "é",
    "%3C",
    " ",
    "x".repeat(500),
    "\u{1d4cd}".repeat(199),
    "\ud835",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const path = `/docs/${pieces.join("")}`;
      const words = addressWords(path);
      expect(words.length).toBeLessThanOrEqual(6);
      for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}]{1,24}$/u);
      expect(() => encodeURIComponent(words.join())).not.toThrow();
      expect(nearest(path).length).toBeLessThanOrEqual(5);
    }),
  );
  expect(addressWords(`/docs/${"far/".repeat(3000)}docker-bake`)).toEqual(["far", "docker", "bake"]);
});
