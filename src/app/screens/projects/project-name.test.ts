/**
 * 1. For every text: an accepted name has no reason, a refused name has one.
 * 2. The reason says what to do.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { explainProjectName } from "./project-name.ts";

/** Same as `check-input.ts` of the accounts. */
const isAccepted = (name: string) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= 63;

test("1. the server's rule", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."ab0-_ A.é"), maxLength: 70 });
  fc.assert(
    fc.property(fc.oneof(letters, fc.string()), (name) => {
      if (name !== "") expect(explainProjectName(name, []) === undefined).toBe(isAccepted(name));
    }),
  );
});

test.each([
  ["", undefined],
  ["web", "A project web already exists."],
  ["Web", "Lower-case letters only: web"],
  ["my app", "Write it without spaces: a dash separates words."],
  ["my_app", "A dash separates words, not an underscore."],
  ["shop.api", '"." is not allowed: use letters a to z, digits and dashes.'],
  ["-a", "It must begin with a letter or a digit."],
  ["a--b", "One dash at a time."],
  ["a-", "It must end with a letter or a digit."],
  ["a".repeat(64), "64 characters; 63 are allowed."],
])("2. %j", (name, reason) => {
  expect(explainProjectName(name, ["web"])).toBe(reason);
});
