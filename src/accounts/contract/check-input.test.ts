/**
 * 1. Names of organizations and projects are addresses of one part; the site's own names are reserved.
 * 2. A name of a person or token is stored as it is read; invisible characters are refused. Any text gets a verdict.
 * 3. A mail address is stored in lower case; characters that a header could misread are refused.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkMail, checkName, checkOrganizationName, checkProjectName } from "./check-input.ts";
import { Refused } from "./refused.ts";

const refuses = (check: () => unknown) => {
  try {
    return `took ${String(check())}`;
  } catch (error) {
    return error instanceof Refused ? error.field : error;
  }
};

test("1. addresses", () => {
  for (const name of ["acme", "acme-labs", "a", "4-x", "a".repeat(39), "default"])
    expect(checkOrganizationName(name)).toBe(name);
  const reserved = ["mirror", "start", "sign-in", "device", "join", "app", "api", "auth", "oauth", "docs"];
  const others = ["console", "v2", "cache", "search", "x-token", "healthz", "indexes", "ingest", "your-data"];
  const malformed = ["", "A", "a_b", "-a", "a-", "a--b", "a".repeat(40), "é", "a/b", "..", "a b", "a\n"];
  for (const name of [...reserved, ...others, ...malformed])
    expect(refuses(() => checkOrganizationName(name))).toBe("name");
  expect(checkProjectName("docs")).toBe("docs");
  expect(checkProjectName("a".repeat(63))).toHaveLength(63);
  expect(refuses(() => checkProjectName("a".repeat(64)))).toBe("name");
});

test("2. names", () => {
  for (const name of ["Ada Lovelace", "李小龙", "👩‍💻", "محمد", "CI (main)"])
    expect(checkName(name, "name")).toBe(name);
  expect(checkName("  ada ", "name")).toBe("ada");
  for (const name of ["", "  ", "a\u202Eb", "a\nb", "a\0", "\uD800", "a\u200Bb", "x".repeat(81)])
    expect(refuses(() => checkName(name, "name"))).toBe("name");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const field = refuses(() => checkName(text, "name"));
      return field === "name" || (typeof field === "string" && field.startsWith("took "));
    }),
  );
});

test("3. mail", () => {
  expect(checkMail(" Ada@Acme.Example ")).toBe("ada@acme.example");
  const bad = [
    "",
    "ada",
    "a@b@c",
    "a b@c",
    "<a@b>",
    "a@b\r\nBcc: c@d",
    'a"@b',
    "a@-b",
    "a@b..c",
    `${"a".repeat(251)}@b.c`,
  ];
  for (const mail of bad) expect(refuses(() => checkMail(mail))).toBe("mail");
});
