/**
 * 1. `security.txt` names the mailbox or form of the configuration, or else the page that explains how to report.
 * 2. It expires within less than a year, as RFC 9116 requires, and names its address, its language and its policy.
 */
import { expect, test, vi } from "vitest";
import { securityText } from "./security-text.ts";

const { trust } = vi.hoisted(() => ({ trust: { securityContact: null as string | null } }));
vi.mock("#config", () => ({ siteConfig: { trust } }));

const ORIGIN = "https://builds.acme.example";
const builtAt = new Date("2028-02-29T08:39:36Z");

/** Its fields; each must occur once. */
function fieldsOf(contact: string | null): Record<string, string> {
  trust.securityContact = contact;
  const text = securityText(ORIGIN, builtAt);
  expect(text.endsWith("\n")).toBe(true);
  const fields = text
    .trimEnd()
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)] as const);
  expect(new Set(fields.map(([name]) => name)).size).toBe(fields.length);
  return Object.fromEntries(fields);
}

test.each([
  ["mailto:security@acme.example", "mailto:security@acme.example"],
  ["https://acme.example/report", "https://acme.example/report"],
  [null, `${ORIGIN}/trust#contact`],
])("1. contact: %s", (configured, contact) => {
  expect(fieldsOf(configured)["Contact"]).toBe(contact);
});

test("2. everything else", () => {
  const { Expires: expires = "", ...others } = fieldsOf("mailto:security@acme.example");
  expect(others).toEqual({
    Contact: "mailto:security@acme.example",
    "Preferred-Languages": "en",
    Canonical: `${ORIGIN}/.well-known/security.txt`,
    Policy: `${ORIGIN}/docs/security#report-a-vulnerability`,
  });
  expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
  expect(new Date(expires) > builtAt).toBe(true);
  expect(new Date(expires) < new Date("2029-02-28T08:39:36Z")).toBe(true);
});
