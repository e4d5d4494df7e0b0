/**
 * 1. A debug id has the form of a UUID. 2. It is the same for the same name, here and in the browser, and differs for other
 *    names.
 */
import { expect, test } from "vitest";
import { debugIdOf } from "./debug-id.ts";

test("1. has the form of a UUID", () => {
  expect(debugIdOf("vendor-CFrkd1x3.js")).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test("2. follows from the name alone", () => {
  expect(debugIdOf("docs-DDkJoOTP.js")).toBe(debugIdOf("docs-DDkJoOTP.js"));
  const names = Array.from({ length: 2000 }, (_, index) => `docs-${index.toString(36)}.js`);
  expect(new Set(names.map(debugIdOf)).size).toBe(names.length);
});
