/**
 * 1. A made token is well formed, and has the form that the docs and secret scanners know.
 * 2. One changed, missing, added or swapped character is noticed.
 * 3. Any text gets a verdict without an error; only a made token is well formed.
 * 4. The rule for scanners on the page finds each type of token within any text, and its checksum is the one that the page
 *    describes; a text that only resembles a token is not found.
 * 5. Every character of keys and ids is equally likely.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newId, randomKey } from "./ids.ts";
import type { TokenType } from "../records/schema.ts";
import { completeToken, hashSecret, isOwnerTokenForm, isWellFormedToken, makeToken } from "./token-text.ts";

const KEY_CHARACTER = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
/** Every type must be found. */
const TYPES = Object.keys({
  user: true,
  org: true,
  project: true,
  job: true,
} satisfies Record<TokenType, true>) as TokenType[];
const token = fc
  .tuple(fc.constantFrom(...TYPES), fc.string({ unit: KEY_CHARACTER, minLength: 32, maxLength: 32 }))
  .map(([type, random]) => completeToken(type, random));

test("1. made", () => {
  expect(makeToken("user", randomBytes)).toMatch(/^mr_user_[0-9A-Za-z]{38}$/);
  expect(makeToken("project", randomBytes)).toMatch(/^mr_prj_[0-9A-Za-z]{38}$/);
  expect(completeToken("org", "0".repeat(32))).toBe("mr_org_000000000000000000000000000000000uaBHq");
  fc.assert(fc.property(token, (text) => isWellFormedToken(text)));
  expect(hashSecret("a")).toHaveLength(43);
  expect(isOwnerTokenForm(`mr_user_${"a-_".repeat(11)}`)).toBe(true);
  expect(isOwnerTokenForm(`mr_user_${"a".repeat(31)}`)).toBe(false);
  expect(isOwnerTokenForm(`mr_org_${"a".repeat(32)}`)).toBe(false);
});

test("2. mistyped", () => {
  fc.assert(
    fc.property(token, fc.nat(), KEY_CHARACTER, (text, at, character) => {
      const index = at % text.length;
      const [before, here, after] = [text.slice(0, index), text.charAt(index), text.slice(index + 1)];
      if (character !== here) expect(isWellFormedToken(before + character + after)).toBe(false);
      expect(isWellFormedToken(before + after)).toBe(false);
      expect(isWellFormedToken(before + character + here + after)).toBe(false);
      const swapped = before + after.slice(0, 1) + here + after.slice(1);
      if (swapped !== text) expect(isWellFormedToken(swapped)).toBe(false);
    }),
  );
});

test("3. any text", () => {
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => !isWellFormedToken(text)));
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => !isWellFormedToken(`mr_user_${text}`)));
});

/** Texts that only resemble a token: one character less or more, another prefix, or a piece of a longer word. */
const NEAR_MISSES: ((text: string) => string)[] = [
  (text) => text.slice(0, -1),
  (text) => `${text}a`,
  (text) => `${text}_`,
  (text) => `x${text}`,
  (text) => `_${text}`,
  (text) => text.toUpperCase(),
  (text) => text.replace("mr_", "mr-"),
  (text) => text.replace("mr_", "my_"),
  (text) => text.replace(/^mr_[a-z]+_/, "mr_bld_"),
  (text) => text.replace(/^mr_[a-z]+_/, "mr_"),
  (text) => `${text.slice(0, 20)}-${text.slice(21)}`,
  (text) => `${text.slice(0, 20)} ${text.slice(20)}`,
];

test("4. scanners", () => {
  const page = readFileSync(new URL("../../../content/docs/api/authentication.mdx", import.meta.url), "utf8");
  const [, rule = "", keywords = ""] = /^regex = '''(.+)'''\nkeywords = (.+)$/m.exec(page) ?? [];
  const expression = new RegExp(rule, "g");
  const around = fc.string({ unit: fc.constantFrom(..." \"':=/\n.,") });
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  fc.assert(
    fc.property(around, token, around, (before, text, after) => {
      expect(before + text + after).toMatch(expression);
      expect((before + text + after).match(expression)).toEqual([text]);
      expect(JSON.parse(keywords)).toContain(/^mr_[a-z]+_/.exec(text)?.[0]);
      const number = Array.from(text.slice(-6)).reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
      expect(number).toBe(crc32(text.slice(0, -6)));
    }),
  );
  const whole = new RegExp(rule);
  for (const type of TYPES) {
    const text = makeToken(type, randomBytes);
    expect(text).toMatch(whole);
    for (const spoil of NEAR_MISSES) expect(spoil(text)).not.toMatch(whole);
  }
  expect(isOwnerTokenForm(`mr_user_${"a".repeat(100)}`)).toBe(true);
});

test("5. equally likely", () => {
  // Every byte once: 248 of 256 are used for keys, 252 for ids; the rest is drawn again.
  let next = 0;
  const everyByte = (count: number) => Uint8Array.from({ length: count }, () => next++ % 256);
  const counts = new Map<string, number>();
  for (const character of randomKey(248, everyByte)) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(new Set(counts.values())).toEqual(new Set([4]));
  expect(counts.size).toBe(62);
  expect(newId("prj", randomBytes)).toMatch(/^prj_[0-9a-z]{10}$/);
});
