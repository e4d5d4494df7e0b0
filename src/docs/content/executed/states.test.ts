/**
 * 1. A language decides: commands run, files are parsed, commands of a preview are declared; other text has no state.
 * 2. What `content/blocks/` says comes first, until the block is edited.
 * 3. The check names the line of a block without a state, what to write, and entries without their block.
 * 4. A malformed entry is a problem at its line.
 * 5. A page has run only if all of its commands have, as its states say; it has the date of the oldest.
 * 6. A run adds its blocks to the record, and takes out what the page no longer has.
 * 7. The list says why.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkBlocks } from "../checks/check-blocks.ts";
import { install, pageOf, sample } from "../checks/page-fixture.ts";
import { type Facts, noFacts } from "../facts/facts.ts";
import { cliFactsSchema } from "../facts/reference-schemas.ts";
import { countBlocks, listBlocks } from "./list-blocks.ts";
import { addRuns, ranOf } from "./ran.ts";
import { readStates } from "./read-states.ts";
import { type GivenState, hashOf, stateByRule, stateOf } from "./states.ts";

const PATH = "/docs/cache/overview";
const logout = { name: "logout", synopsis: "millrace logout", summary: "Log out.", part: "cli", flags: [] };
const facts: Facts = {
  ...noFacts,
  cli: cliFactsSchema.parse({
    install,
    globalFlags: [{ name: "--output", description: "Form." }],
    commands: [logout],
    exitCodes: [{ code: 0, meaning: "Success." }],
  }),
  parts: {
    parts: [{ id: "cli", name: "CLI", state: "preview", page: "/docs/cli", summary: "", names: [] }],
  },
};
const givenOf = (states: { [hash: string]: GivenState }) =>
  new Map([[PATH, new Map(Object.entries(states))]]);
const curl = sample("console", "$ curl example.com\nok");
const kept = sample("text", "A message.");

test("1. rules", () => {
  const stateBy = (...block: Parameters<typeof sample>) => stateByRule(sample(...block), facts)?.state;
  expect(stateBy("console", "$ ls")).toBe("run");
  expect(stateBy("bash", "ls")).toBe("run");
  expect(stateBy("console", "$ millrace logout")).toBe("declared");
  for (const language of ["yaml", "json", "toml", "dockerfile", "diagram", "ts"])
    expect(stateBy(language, "")).toBe("checked");
  expect(stateBy("dockerfile", "", { diff: true })).toBe("checked");
  expect(stateBy("yaml", "", { diff: true })).toBe(undefined);
  expect(stateBy("text", "a", { title: ".dockerignore" })).toBe("checked");
  expect(stateBy("text", "millrace logout")).toBe("checked");
  for (const title of [".env of the server", "/etc/millrace/millrace.env"])
    expect(stateBy("bash", "PORT=1", { title })).toBe("checked");
  expect(stateBy("bash", "PORT=1", { title: ".envrc" })).toBe("run");
  expect(stateBy("text", "a")).toBe(undefined);
});

test("2. given states", () => {
  const given = givenOf({
    [hashOf(curl)]: { state: "declared", reason: "person", why: "It waits.", starts: "$ curl" },
  });
  const state = (code: string) => stateOf({ path: PATH }, { ...curl, code }, { given, facts })?.state;
  expect(state(curl.code)).toBe("declared");
  expect(state(`${curl.code}!`)).toBe("run");
  expect(stateOf({ path: "/docs/other" }, curl, { given, facts })?.state).toBe("run");
});

describe("files", () => {
  let root: string;
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "blocks-"))));
  afterEach(() => rmSync(root, { recursive: true }));

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const check = () =>
    checkBlocks([pageOf({ samples: [curl, kept] })], facts, root).map(({ file, line, fix }) => [
      file,
      line,
      fix,
    ]);
  const entry = (hash: string, rest: string) =>
    write(
      "content/blocks/cache.yaml",
      `${PATH}:\n  - block: "${hash}"\n    starts: "A message."\n    ${rest}\n`,
    );

  test("3. what is missing", () => {
    expect(check()).toEqual([
      [`content${PATH}.mdx`, 10, expect.stringContaining(`- block: ${hashOf(kept)}`)],
    ]);
    entry(hashOf(kept), "declared: message\n    why: No test can have it.");
    expect(check()).toEqual([]);
    entry(hashOf(kept), "checked: tests/some.test.ts");
    expect(check()).toEqual([["content/blocks/cache.yaml", 2, "A test."]]);
    write("tests/some.test.ts", "");
    expect(check()).toEqual([]);
    entry("0123456789ab", "checked: tests/some.test.ts");
    expect(check()).toEqual([
      [`content${PATH}.mdx`, 10, expect.anything()],
      ["content/blocks/cache.yaml", 2, `block: ${hashOf(kept)}`],
    ]);
  });

  test.each([
    ["declared: message", 2],
    ["adapted: part", 2],
    ["declared: laziness\n    why: No.", 4],
    ["run: tests/a.test.ts\n    checked: tests/a.test.ts", 2],
    [`declared: form\n    why: ${"a".repeat(161)}`, 5],
    ["run: /etc/passwd", 4],
  ])("4. %s", (rest, line) => {
    entry(hashOf(kept), rest);
    const { given, problems } = readStates(root);
    expect(problems.map((problem) => [problem.file, problem.line])).toEqual([
      ["content/blocks/cache.yaml", line],
    ]);
    expect(given.size).toBe(0);
  });
});

const list = sample("bash", "ls");
const page = pageOf({ samples: [curl, list, kept] });
const given = givenOf({ [hashOf(list)]: { state: "adapted", change: "values", starts: "ls" } });
const old = { commit: "00000000", date: "2026-11-01", blocks: { [hashOf(curl)]: "run" as const } };
const recent = { commit: "11111111", date: "2026-11-02", blocks: { [hashOf(list)]: "adapted" as const } };

test("5. whether a page has run", () => {
  const ran = (...runs: (typeof old | typeof recent)[]) =>
    ranOf(page, { given, facts, ran: { [PATH]: runs } });
  expect(ran(recent, old)).toEqual({ commit: "00000000", date: "2026-11-01" });
  expect(ran(recent)).toBe(null);
  expect(ranOf(page, { given: new Map(), facts, ran: { [PATH]: [recent, old] } })).toBe(null);
  expect(ranOf(pageOf({ samples: [kept] }), { given, facts, ran: {} })).toBe(null);
});

test("6. the record", () => {
  const known = {
    given,
    facts,
    ran: { [PATH]: [{ ...old, blocks: { ...old.blocks, ffffffffffff: "run" as const } }] },
  };
  expect(addRuns([page], known, { [PATH]: [recent], "/docs/gone": [recent] })).toEqual({
    [PATH]: [recent, old],
  });
  const again = { ...recent, blocks: { ...recent.blocks, ...old.blocks } };
  expect(addRuns([page], known, { [PATH]: [again] })).toEqual({ [PATH]: [again] });
});

test("7. the list", () => {
  expect(countBlocks([page], { given, facts })).toBe(
    "3 code blocks: 1 run as printed, 1 run adapted, 0 checked, 0 declared, 1 without a state",
  );
  expect(listBlocks([page], { given, facts })).toEqual([
    `content${PATH}.mdx:10  adapted, values: Names, addresses, ids or secrets of the reader's own are the test's.`,
  ]);
});
