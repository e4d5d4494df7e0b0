/**
 * 1. Without variables the site is at http://localhost:3000.
 * 2. SITE_ORIGIN wins over PORT and HOST; a trailing slash is taken off.
 * 3. Every wrong variable is named, all at once.
 */
import { expect, test } from "vitest";
import { parseEnvironment } from "./environment.ts";

test("1. the default is http://localhost:3000", () => {
  expect(parseEnvironment({})).toMatchObject({
    PORT: 3000,
    HOST: "localhost",
    SITE_ORIGIN: "http://localhost:3000",
  });
});

test.each([
  [{ PORT: "8080" }, "http://localhost:8080"],
  [{ PORT: "80" }, "http://localhost"],
  [{ HOST: "0.0.0.0" }, "http://localhost:3000"],
  [{ HOST: "::1" }, "http://[::1]:3000"],
  [{ PORT: "8080", SITE_ORIGIN: "https://docs.example.com/" }, "https://docs.example.com"],
  [{ PORT: "", SITE_ORIGIN: "" }, "http://localhost:3000"],
])("2. %o gives the origin %s", (env, origin) => {
  expect(parseEnvironment(env).SITE_ORIGIN).toBe(origin);
});

test("3. every wrong variable is named", () => {
  const parse = () =>
    parseEnvironment({ PORT: "99999", SITE_ORIGIN: "docs.example.com", SEARCH_ADMIN_KEY: "short" });
  expect(parse).toThrow(/PORT: .*SITE_ORIGIN: .*SEARCH_ADMIN_KEY: /);
  expect(() => parseEnvironment({ SITE_ORIGIN: "https://example.com/docs" })).toThrow("must have no path");
});
