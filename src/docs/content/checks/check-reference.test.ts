/**
 * Properties of the check of the references:
 * 1. With a heading and a table for each command, a row for each other fact and the pages that facts name, nothing is found.
 * 2. A command without its section, a flag that no table under its heading has, a fact without a row, and a missing page that
 *    facts name are found one by one.
 */
import { expect, test } from "vitest";
import { noFacts, type Facts } from "../facts/facts.ts";
import type { Page } from "../types.ts";
import { checkReference } from "./check-reference.ts";
import { pageOf } from "./page-fixture.ts";

const noCommand = {
  aliases: [],
  group: "Builds",
  summary: "Build.",
  synopsis: "millrace build",
  part: "cache",
  arguments: [],
  examples: [],
};
const tool = {
  protocol: "HTTP",
  address: "/cache",
  tested: "1.0",
  credentials: "a token",
  token: { from: "TOKEN", form: "the token" },
  runner: "TOKEN",
  prints: { miss: "miss", hit: "hit" },
  keys: { command: "keys", compare: "keys" },
  part: "cache",
};

const flag = { name: "--save", required: false, repeatable: false, description: "Keep it." };
const command = { ...noCommand, name: "build", flags: [flag] };
const facts: Facts = {
  ...noFacts,
  cli: {
    ...noFacts.cli,
    globalFlags: [],
    commands: [command],
    exitCodes: [],
  },
  env: { variables: [{ name: "PORT", usedBy: "server", description: "Port." }] },
  cache: { lists: {}, tools: [{ ...tool, id: "turbo", name: "Turborepo", page: "/docs/cache/turbo" }] },
};
const heading = { kind: "heading" as const, depth: 3, id: "build", text: "build" };
const table = {
  kind: "table" as const,
  text: "Flag | Description\n--save | Keep it.",
  columns: ["Flag", "Description"],
  rows: [{ id: "flag-save", cells: ["--save", "Keep it."] }],
};
const complete = pageOf({
  path: "/docs/cache/turbo",
  blocks: [heading, table],
  anchors: ["env-port", "tool-turbo"],
});
const messages = (page: Page) => checkReference([page], facts).map(({ message }) => message);

test("is complete", () => expect(messages(complete)).toEqual([]));

test("lacks a command, a flag, a row, a page", () => {
  expect(messages({ ...complete, blocks: [table] })).toEqual(['No page has a section for "build".']);
  const other = { ...table, text: "Flag | Description\n--load | Take it." };
  expect(messages({ ...complete, blocks: [heading, other] })).toEqual([
    'No page has --save in a table under its heading for "build".',
  ]);
  expect(messages({ ...complete, anchors: ["tool-turbo"] })).toEqual(["No page has a row for PORT."]);
  expect(messages({ ...complete, path: "/docs/x" })).toEqual([
    "Turborepo has the page /docs/cache/turbo, which does not exist.",
  ]);
});
