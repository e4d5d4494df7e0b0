/**
 * 1. Lines of `name: value`, `name=value` and JSON become claims; braces and empty lines do not count.
 * 2. Other texts stay text: a lone subject with colons, an address, words.
 * 3. Claims written as lines are read back unchanged.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readClaims } from "./read-claims.ts";

test("1. lists of claims", () => {
  const repository = { name: "repository", value: "acme/web" };
  const subject = { name: "sub", value: "repo:acme/web:ref:refs/heads/main" };
  const both = [repository, subject];
  expect(readClaims("repository: acme/web\r\n\nsub: repo:acme/web:ref:refs/heads/main\n")).toEqual(both);
  expect(readClaims("repository=acme/web\nsub = repo:acme/web:ref:refs/heads/main")).toEqual(both);
  expect(
    readClaims('{\n  "repository": "acme/web",\n  "sub":"repo:acme/web:ref:refs/heads/main"\n}'),
  ).toEqual(both);
});

test("2. other texts", () => {
  for (const text of [
    "",
    "repository",
    "repo:acme/web:ref:refs/heads/main",
    "https://a.example/x",
    "name: a\nother line",
  ])
    expect(readClaims(text)).toBeNull();
});

test("3. written and read", () => {
  const name = fc.stringMatching(/^[a-z][a-z_]{0,20}$/);
  const value = fc.stringMatching(/^[a-z0-9][a-z0-9:/_.-]{0,40}$/);
  fc.assert(
    fc.property(fc.array(fc.record({ name, value }), { minLength: 1, maxLength: 20 }), (claims) => {
      expect(readClaims(claims.map((claim) => `${claim.name}: ${claim.value}`).join("\n"))).toEqual(claims);
      expect(
        readClaims(
          claims.map((claim) => `${JSON.stringify(claim.name)}: ${JSON.stringify(claim.value)}`).join(",\n"),
        ),
      ).toEqual(claims);
    }),
  );
});
