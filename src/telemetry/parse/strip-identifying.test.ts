/**
 * 1. No e-mail address, network address, user name in an address, token or number of more than four digits is left, wherever
 *    it is between words, and however it is encoded.
 * 2. Words, versions, packages and file names of real questions stay as they are.
 * 3. Stripping twice is the same as stripping once; counted words are short, in one spelling, and empty if only secrets were
 *    typed.
 * 4. A word split by a cut is left out; a long text takes no more time per character than a short one.
 */
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { countableWords, stripIdentifying } from "./strip-identifying.ts";

const runs = 2000;
const characters = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });
const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const base62 = lower + lower.toUpperCase() + digits;
const name = characters(lower, 3, 12).filter((text) => !/^(?:home|users|latest|mnt|var)$/.test(text));

const word = fc.constantFrom(
  "how",
  "push",
  "cache",
  "login",
  "für",
  "エラー",
  "docker",
  "--secret",
  "(see",
  "v2",
);
const between = fc.constantFrom(" ", "  ", "\t");
const place = fc.tuple(fc.array(word, { maxLength: 3 }), fc.array(word, { maxLength: 3 }), between);

/** Each secret with the part of it that must not be left. */
const secrets: { [kind: string]: fc.Arbitrary<[typed: string, secret: string]> } = {
  "an e-mail address": fc.emailAddress().map((text) => [text, text]),
  "an e-mail address, encoded": fc.emailAddress().map((text) => [encodeURIComponent(text), text]),
  "an address of version 4": fc
    .tuple(fc.ipV4(), fc.constantFrom("", ":80", "/24", ",", ")"))
    .map(([text, end]) => [text + end, text]),
  "an address of version 6": fc
    .tuple(fc.ipV6(), fc.constantFrom("", "/64", ","))
    .filter(([text]) => /[0-9a-f]{2}/i.test(text))
    .map(([text, end]) => [text + end, text]),
  "a user and a password in an address": fc
    .tuple(name, characters(base62, 6, 20), fc.domain())
    .map(([user, password, host]) => [`https://${user}:${password}@${host}/x`, password]),
  "a user on a host": fc
    .tuple(fc.constantFrom("", "ssh://", "git+ssh://"), name, fc.domain(), fc.constantFrom("", ":x/y.git"))
    .map(([scheme, user, host, path]) => [`${scheme}${user}@${host}${path}`, `${user}@`]),
  "a name behind a host": fc
    .tuple(fc.constantFrom("https://github.com/", "github.com/", "gitlab.com:", "ghcr.io/"), name)
    .map(([host, user]) => [`${host}${user}/x`, `${user}/x`]),
  "a home folder": fc
    .tuple(
      fc.constantFrom("/home/", "/Users/", "/mnt/c/Users/", "file:///home/", "C:/Users/", "/var/home/"),
      name,
    )
    .map(([folder, user]) => [`${folder}${user}/.docker/config.json`, `/${user}/`]),
  "a home folder on Windows": fc
    .tuple(fc.constantFrom("C:\\Users\\", "c:\\users\\", "C:\\\\Users\\\\"), name, name)
    .map(([folder, first, last]) => [`${folder}${first} ${last}\\x.txt`, `${first} ${last}`]),
  "an issued token": fc
    .tuple(
      fc.constantFrom("mr_", "ghp_", "github_pat_", "glpat-", "sk-", "sk_live_", "xoxb-", "npm_", "hf_"),
      characters(base62, 16, 40),
    )
    .map(([prefix, text]) => [prefix + text, text]),
  "an access key": characters(lower.toUpperCase() + digits, 16, 16).map((text) => [`AKIA${text}`, text]),
  "a web token": fc
    .tuple(fc.base64String({ minLength: 20 }), fc.base64String({ minLength: 20 }))
    .map((parts) => parts.map((part) => part.replaceAll(/[+/=]/g, "_")))
    .map(([head = "", body = ""]) => [`eyJ${head}.eyJ${body}.abc`, body]),
  "a long hexadecimal": characters("0123456789abcdef", 16, 64)
    .filter((text) => /\d/.test(text))
    .map((text) => [text, text]),
  "a UUID": fc.uuid().map((text) => [text, text]),
  "a key of letters and digits": characters(base62, 20, 64)
    .filter((text) => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text))
    .map((text) => [text, text]),
  "an assigned secret": fc
    .tuple(fc.constantFrom("password=", "token:", "API_KEY=", "secret='"), characters(base62, 5, 20))
    .map(([key, text]) => [key + text, text]),
  "a number": fc.bigInt({ min: 10_000n, max: 10n ** 20n }).map((number) => [String(number), String(number)]),
  "a number in other digits": fc
    .integer({ min: 10_000, max: 99_999_999 })
    .map((number) => [
      [...String(number)].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join("\u200b"),
      String(number),
    ]),
  "a telephone number": fc
    .tuple(characters("123456789", 3, 3), characters("123456789", 4, 4), fc.constantFrom(" ", "-", ".", "/"))
    .map(([area, number, gap]) => [`+49${gap}${area}${gap}${number}`, number]),
};

describe("1. nothing identifying is left", () => {
  test.each(Object.entries(secrets))("%s", (_kind, secret) => {
    fc.assert(
      fc.property(place, secret, ([before, after, gap], [typed, text]) => {
        const whole = [...before, typed, ...after].join(gap);
        for (const result of [stripIdentifying(whole), countableWords(whole)])
          expect(result.toLowerCase()).not.toContain(text.toLowerCase());
      }),
      { numRuns: runs },
    );
  });

  test.each([
    ["alice@", ""],
    ["login as alice\uff20example.com", "login as ***"],
    ["ssh root@10.0.0.1", "ssh ***"],
    ["denied: ~alice/x", "denied: ***/x"],
    ["https://example.com/~alice", "https://example.com/***"],
    ["password=hunter2 wrong", "password=*** wrong"],
    ["4111 1111 1111 1111", ""],
    ["alice%2540example.com", ""],
    ["a@example.com, b@example.com", ""],
  ])("%s", (typed, counted) => {
    expect(countableWords(typed)).toBe(counted);
  });
});

describe("2. words stay", () => {
  const folder = "tests/relevance";
  const questions = readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .flatMap((file) => textsOf(yaml.parse(readFileSync(`${folder}/${file}`, "utf8"))));

  test("of every question that the relevance tests ask", () => {
    expect(questions.length).toBeGreaterThan(100);
    for (const question of questions) {
      const plain = question.normalize("NFKC").replaceAll(/\s+/g, " ").trim().toLowerCase();
      expect(countableWords(question)).toBe(plain.replaceAll("127.0.0.1", "***").slice(0, 100).trim());
    }
  });

  test.each([
    "node 24.16.0 lts",
    "ubuntu-24.04 arm64",
    "actions/checkout@v4",
    "react@19.3.1",
    "@sentry/react",
    "docker-compose.yml:12",
    "millrace build --platform linux/amd64,linux/arm64",
    "port 8080",
    "error 404 on /docs/cache/overview",
    "std::vector",
    "sha256 digest",
    "npm_config_registry",
    "turbo_remote_cache_upload_timeout",
    "runs-on: millrace-ubuntu-24.04-8",
  ])("%s", (typed) => {
    expect(countableWords(typed)).toBe(typed);
  });

  test("a file of the site's own, in a message", () => {
    const message = "Failed to fetch https://docs.example.com/assets/docs-BfK3d9x1.js";
    expect(stripIdentifying(message)).toBe(message);
  });
});

test("3. twice is once, and short", () => {
  const any = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    ...Object.values(secrets).map((each) => each.map(([typed]) => typed)),
  );
  fc.assert(
    fc.property(any, (typed) => {
      const counted = countableWords(typed);
      expect(counted.length).toBeLessThanOrEqual(100);
      expect(countableWords(counted)).toBe(counted);
      expect(counted).toBe(counted.toLowerCase());
    }),
    { numRuns: runs },
  );
});

test("4. what a cut has split is left out", () => {
  const filling = "word ".repeat(198);
  expect(stripIdentifying(`${filling} alice-and-more@example.com`)).toBe(filling);
  expect(stripIdentifying("x".repeat(5000))).toBe("");
  expect(countableWords("word ".repeat(100)).length).toBeLessThanOrEqual(100);
});

/** The questions of a file: keys and texts that are not paths. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("/") ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsOf);
  return [];
}
