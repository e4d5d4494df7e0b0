/**
 * `content/redirects.yaml`:
 * 1. It is read with the line of each redirect; a file that is missing or has only comments is empty; a malformed file
 *    is a problem with its line, and redirects nothing.
 * 2. A redirect leads to an existing page and anchor, from an address that has no page, once, without a chain.
 * 3. It loses none of the anchors that were published on the old page.
 * 4. The problem of a link to the old address names the new address.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkLinks } from "../checks/check-links.ts";
import { checkRedirects } from "../checks/check-redirects.ts";
import { pageOf } from "../checks/page-fixture.ts";
import { loadRedirects } from "./redirects.ts";

function load(yaml: string | null) {
  const root = mkdtempSync(join(tmpdir(), "redirects-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "content"));
  if (yaml !== null) writeFileSync(join(root, "content/redirects.yaml"), yaml);
  return loadRedirects(root);
}

test("1. what is read", () => {
  const none = { redirects: [], problems: [] };
  expect(load(null)).toEqual(none);
  expect(load("# - { from: /docs/a, to: /docs/b }\n")).toEqual(none);
  expect(
    load("# why\n- { from: /docs/aa, to: /docs/b }\n- from: /docs/a\n  to: /docs/b#c\n").redirects,
  ).toEqual([
    { from: "/docs/aa", to: "/docs/b", line: 2 },
    { from: "/docs/a", to: "/docs/b#c", line: 3 },
  ]);
});

test.each([
  ["- { from: /docs/a/, to: /docs/b }", "a trailing slash"],
  ["- { from: /docs/a, to: https://elsewhere.example/ }", "a page's path"],
  ["- { from: /docs/a, to: /docs/b, status: 302 }", "status"],
  ["- { from: /docs/a", "Not YAML"],
  ["from: /docs/a", "expected array"],
])("1. %s is a problem", (yaml, message) => {
  const { redirects, problems } = load(`${yaml}\n`);
  expect(redirects).toEqual([]);
  expect(problems[0]?.message).toContain(message);
  expect(problems[0]?.file).toBe("content/redirects.yaml");
});

const here = pageOf({ path: "/docs/here", anchors: ["keys"], renamed: { former: "keys" } });
const messages = (redirects: [from: string, to: string][], ledger = {}) =>
  checkRedirects(
    redirects.map(([from, to], index) => ({ from, to, line: index + 1 })),
    [here],
    ledger,
  ).map(({ line, message, fix }) => [line, message, fix]);

test("2. where a redirect leads", () => {
  expect(messages([["/docs/old", "/docs/here"]])).toEqual([]);
  expect(messages([["/docs/old", "/docs/here#keys"]])).toEqual([]);
  expect(messages([["/docs/old", "/docs/her"]])).toEqual([
    [1, 'There is no page /docs/her. Did you mean "/docs/here"?', "to: /docs/…"],
  ]);
  expect(messages([["/docs/old", "/docs/here#key"]])).toEqual([
    [1, "/docs/here has no anchor #key.", "- { from: /docs/old, to: /docs/here#keys }"],
  ]);
  expect(messages([["/docs/here", "/docs/here"]])[0]?.[1]).toBe("/docs/here is a page.");
  // The server ignores letter case: `/docs/here?q=x` would lead to itself.
  expect(messages([["/docs/Here", "/docs/here"]])[0]?.[1]).toBe("/docs/here is a page.");
  const twice = messages([
    ["/docs/old", "/docs/here"],
    ["/docs/Old", "/docs/here#keys"],
  ]);
  expect(twice.map(([line]) => line)).toEqual([2]);
  const detour = messages([
    ["/docs/older", "/docs/old"],
    ["/docs/old", "/docs/here"],
  ]);
  expect(detour).toEqual([[1, "/docs/old is itself redirected.", "to: /docs/here"]]);
});

test("3. published anchors", () => {
  const ledger = { "/docs/old": ["former", "key", "keys"] };
  expect(messages([["/docs/old", "/docs/here"]], ledger)).toEqual([
    [
      1,
      "#key was published on the old page, and /docs/here does not have it.",
      `renamed: { key: keys } in ${here.file}`,
    ],
  ]);
  expect(messages([["/docs/old", "/docs/here#keys"]], ledger)).toEqual([]);
});

test("4. links", () => {
  const page = pageOf({ links: [{ href: "/docs/old", line: 7 }] });
  const problems = checkLinks([page, here], {
    redirects: [{ from: "/docs/old", to: "/docs/here#keys", line: 1 }],
  });
  expect(problems.map(({ line, message, fix }) => [line, message, fix])).toEqual([
    [7, "/docs/old has moved.", "/docs/here#keys"],
  ]);
});
