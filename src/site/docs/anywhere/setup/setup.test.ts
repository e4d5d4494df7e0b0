/**
 * Properties of a setup's forms:
 * 1. Any text is read without an error: known values, one per part, in the order of the parts; written and
 *    read again, it is the same.
 * 2. The chosen tabs that the browser remembers give the same setup; other stored values are ignored.
 * 3. An address needs its own page if it names a value or is the empty setup, but not if all values are unknown.
 * 4. Its description reads naturally.
 */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { SETUP_PARTS } from "./choices.ts";
import {
  asksForSetup,
  describeSetup,
  formatSetup,
  parseSetup,
  setupOfAddress,
  setupOfTabs,
  setupQueryOf,
  tabsOfSetup,
} from "./setup.ts";

const ids = SETUP_PARTS.flatMap(({ values }) => values.map(({ id }) => id));
const someIds = fc.array(fc.constantFrom<string>(...ids, "", "bun", "__proto__", "pnpm "));

it("reads any text (1)", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), someIds.map(String)), (text) => {
      const setup = parseSetup(text);
      for (const [part, value] of setup) {
        expect(text.split(",")).toContain(value);
        expect(SETUP_PARTS.find(({ id }) => id === part)?.values.map(({ id }) => id)).toContain(value);
      }
      expect(parseSetup(formatSetup(setup))).toEqual(setup);
    }),
  );
  expect([...parseSetup("fish,gitlab-ci,pnpm,npm,x,arm64")]).toEqual([
    ["ci", "gitlab-ci"],
    ["architecture", "arm64"],
    ["package-manager", "pnpm"],
    ["shell", "fish"],
  ]);
  expect(parseSetup(`${"x".repeat(200)},pnpm`).size).toBe(0);
});

it("is kept with the chosen tabs (2)", () => {
  fc.assert(
    fc.property(someIds, (some) => {
      const setup = parseSetup(some.join(","));
      expect(setupOfTabs({ ...Object.fromEntries(tabsOfSetup(setup)), registry: "ECR" })).toEqual(setup);
    }),
  );
  expect(Object.fromEntries(tabsOfSetup(parseSetup("powershell,gitlab-ci")))).toEqual({
    ci: "GitLab CI",
    shell: "PowerShell",
  });
  expect(
    setupOfTabs({ shell: 3, ci: "gitlab-ci", "package-manager": ["pnpm"], architecture: null }).size,
  ).toBe(0);
});

it.each([
  ["?setup=pnpm", true],
  ["?q=a&setup=bun,pnpm", true],
  ["?setup=", true],
  ["?setup=&setup=", true],
  ["?setup=&setup=fish", true],
  ["?setup=bun", false],
  ["?setup=%ff%00", false],
  ["?q=setup", false],
  ["", false],
])("%s (3)", (search, expected) => {
  expect(asksForSetup(search)).toBe(expected);
});

it("reads what a form without a script sends (3)", () => {
  expect(setupQueryOf(setupOfAddress("?setup=&setup=arm64&setup=pnpm&setup="))).toBe("?setup=arm64,pnpm");
  expect(setupQueryOf(setupOfAddress("?setup=&setup="))).toBe("");
});

it.each([
  ["pnpm", "pnpm"],
  ["pnpm,fish", "pnpm and fish"],
  ["pnpm,fish,github-actions", "GitHub Actions, pnpm and fish"],
  ["", ""],
])("%s is %s (4)", (text, words) => {
  expect(describeSetup(parseSetup(text))).toBe(words);
});
