/**
 * Errors that are pasted into the search box (`tests/fixtures/pasted-errors.yaml` has a real line for each message that the
 * documentation explains):
 * 1. Each message of a troubleshooting page has a line, and its line leads to it: alone, and among the lines of a log
 *    or of a stack, with colours, times, ids and paths of another machine.
 * 2. The resulting search finds the section within the first three hits.
 * 1. Lines of Millrace itself are what its code prints today.
 * 3. A line without a section becomes the words of its cause. A question that a person has typed stays unchanged.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { knownErrors } from "#docs/content/words/known-errors.ts";
import { search } from "#search/index.ts";
import { causeOf } from "#site/.server/cause-of.ts";
import { errorQuery, looksLikeError } from "#site/docs/anywhere/paste/error-query.ts";
import { type DocsSearch, openDocsSearch } from "./docs-search.ts";

const lines = parse(
  readFileSync(join(import.meta.dirname, "../fixtures/pasted-errors.yaml"), "utf8"),
) as Record<string, string>;
const cases = Object.entries(lines);

let docs: DocsSearch;
let known: string[];
beforeAll(async () => {
  docs = await openDocsSearch();
  known = knownErrors(docs.pages);
});

test("1. every message has a line", () => {
  expect([...new Set(known)].toSorted()).toEqual(Object.keys(lines).toSorted());
});

test.each(cases)("1, 2. %s", (message, line) => {
  expect(errorQuery(line, known)).toEqual({ query: message, isKnown: true });
  const hits = search(docs.index, { q: message, limit: 3 }).hits.map(({ document }) => document);
  const headings = hits.flatMap((hit) => [
    hit["hierarchy_lvl2"],
    hit["hierarchy_lvl3"],
    hit["hierarchy_lvl4"],
  ]);
  expect(headings).toContainEqual(expect.stringContaining(message));
});

/** Words of a message, by its heading, and the file that prints it; `${…}` is a value. */
const OWN: readonly (readonly [heading: string, file: string, words: string])[] = [
  [
    "The build context is larger than",
    "src/builds/live/live-words.ts",
    "The build context is larger than the limit of ${limit} MB (MILLRACE_BUILD_CONTEXT_LIMIT). List what the build does not need in .dockerignore.",
  ],
  [
    "The build ran longer than its limit",
    "src/builds/live/live-words.ts",
    "The build ran longer than its limit of ${limit} (MILLRACE_BUILD_TIMEOUT).",
  ],
  [
    "unauthenticated: no token",
    "cli/src/session.ts",
    "unauthenticated: no token for ${origin}: run millrace login, or set MILLRACE_TOKEN",
  ],
  ["unauthenticated: token is expired", "src/accounts/identity/load-identity.ts", "token is expired"],
  [
    "permission_denied: no trust relationship matches",
    "src/accounts/trust/exchange.ts",
    "no trust relationship matches: the project does not trust the issuer ${quote(issuer)}, or there is no such project",
  ],
  [
    "no project: run millrace init or pass --project",
    "cli/src/session.ts",
    "no project: run millrace init or pass --project",
  ],
  [
    "not_found: project was not found",
    "src/accounts/contract/authorize.ts",
    "${name} was not found in ${organization}",
  ],
  [
    "Builders cannot run on this server yet",
    "src/builds/machine/capability.ts",
    "Builders cannot run on this server yet",
  ],
];

test.each(OWN)("1. %s, as %s prints it", (heading, file, words) => {
  expect(readFileSync(join(import.meta.dirname, "../..", file), "utf8")).toContain(words);
  const parts = words
    .split(/\$\{[^}]*\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  // Nothing follows that the program does not print, unless it is a list.
  const isWhole = !words.endsWith("yet");
  expect(lines[heading]).toMatch(new RegExp(`${parts.join(".+")}${isWhole ? "$" : ""}`));
});

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(..."0123456789abcdef"), { minLength: length, maxLength: length })
    .map((all) => all.join(""));
const time = fc.date({ min: new Date("2024-01-01"), max: new Date("2027-01-01"), noInvalidDate: true });
/** A changing prefix of a line. */
const prefix = fc.oneof(
  fc.constant(""),
  time.map((date) => `${date.toISOString()} `),
  time.map((date) => `\u001b[31m[${date.toISOString().slice(11, 19)}]\u001b[0m `),
  fc.nat(40).map((step) => `#${step} 1.${step} `),
  hex(12).map((id) => `worker-3 | ${id} `),
);
/** Surrounding lines: progress, and places in a program. */
const other = fc.oneof(
  hex(64).map((digest) => `#9 sha256:${digest} 29.13MB / 29.13MB 0.4s done`),
  hex(8).map(
    (id) => `    at run (/home/ci/${id}/node_modules/tool/dist/index.js:${Number.parseInt(id, 16)}:7)`,
  ),
  fc.nat(90).map((step) => `=> [${step}/99] COPY . . ${step}.1s`),
  fc.constant("Downloading packages, 120 of 480"),
);

test("1. in a log", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...cases),
      fc.array(other, { maxLength: 30 }),
      prefix,
      fc.array(other, { maxLength: 30 }),
      ([message, line], before, start, after) => {
        const text = [...before, start + line, ...after].join("\n");
        expect(errorQuery(text, known)?.query).toBe(message);
      },
    ),
    { numRuns: 400 },
  );
});

test.each([
  [
    "2026-11-22T10:00:01Z ERROR: failed to solve: frobnicator 3f9a7c1e2b5d handshake mismatch in /srv/app/x.ts:12:9",
    "frobnicator handshake mismatch in x.ts",
  ],
  [
    "thread 'main' panicked at src/main.rs:10:5:\nfatal error: the quux is not initialised\n  at f (a.js:1:2)",
    "the quux is not initialised",
  ],
])("3. %s", (text, query) => expect(errorQuery(text, known)).toEqual({ query, isKnown: false }));

test("3. an address of a search", () => {
  const line = lines["exec format error"] ?? "";
  const long = `ERROR: failed to solve: 0123456789ab: process exited: ${line}`;
  expect(causeOf(`?q=${encodeURIComponent(long)}&setup=arm64`, known)).toBe(
    "?q=exec+format+error&setup=arm64",
  );
  for (const typed of [
    "",
    "layer cache",
    "exec format error",
    "why does my build say exec format error on an arm machine when it works on mine",
    "how do I mount a secret in a Dockerfile so that it is not in the image: is there an example?",
    "difference between --cache-from and --cache-to with millrace build, and which one do I need in CI",
  ]) {
    expect(looksLikeError(typed), typed).toBe(false);
    expect(causeOf(`?q=${encodeURIComponent(typed)}`, known)).toBeNull();
  }
});
