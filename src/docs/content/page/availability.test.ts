/**
 * Properties of availability:
 * 1. A page waits for its part; "all" waits only while no part runs, "none" for nothing.
 * 2. A block of commands is marked exactly when one of its commands waits: by the CLI's command, the API's service or the
 *    address that it names. Output, files and other programs' commands are ignored.
 * 3. Changing the state removes every mark.
 * 4. A part that does not exist is a problem, wherever it is named.
 */
import { expect, test } from "vitest";
import { availabilityOf, isPreviewSample } from "./availability.ts";
import { checkParts } from "../checks/check-parts.ts";
import { pageOf } from "../checks/page-fixture.ts";
import { envFactsSchema, partFactsSchema } from "../facts/fact-schemas.ts";
import { apiFactsSchema, cliFactsSchema } from "../facts/reference-schemas.ts";
import { install } from "../checks/page-fixture.ts";
import { noFacts, type Facts } from "../facts/facts.ts";
import { hidePlaceholders } from "./placeholders.ts";

type State = "preview" | "available";

function factsWith(states: Record<string, State>): Facts {
  const parts = Object.entries(states).map(([id, state]) => {
    return { id, name: id, state, page: `/docs/${id}`, summary: `What ${id} does.` };
  });
  const command = (name: string, part: string) => ({ name, part, summary: "Does it.", synopsis: name });
  return {
    ...noFacts,
    parts: partFactsSchema.parse({ parts }),
    cli: cliFactsSchema.parse({
      install,
      commands: [
        command("login", "cli"),
        command("build", "builds"),
        { ...command("cache usage", "cache"), without: { flag: "--tool", part: "builds" } },
      ],
    }),
    api: apiFactsSchema.parse({
      services: [{ name: "BuildService", summary: "Builds.", part: "builds", methods: [] }],
    }),
  };
}

const noneRuns = factsWith({
  cli: "preview",
  api: "preview",
  cache: "preview",
  registry: "preview",
  builds: "preview",
});
const cliRuns = factsWith({
  cli: "available",
  api: "available",
  cache: "preview",
  registry: "preview",
  builds: "preview",
});
const allRun = factsWith({
  cli: "available",
  api: "available",
  cache: "available",
  registry: "available",
  builds: "available",
});

test.each([
  ["cli", noneRuns, "preview"],
  ["cli", cliRuns, "available"],
  ["all", noneRuns, "preview"],
  ["all", cliRuns, "available"],
  ["cache", cliRuns, "preview"],
  ["all", allRun, "available"],
  ["none", noneRuns, "available"],
  [undefined, noneRuns, "available"],
  ["all", noFacts, "available"],
])("1. %s", (part, facts, expected) => {
  expect(availabilityOf(part, facts)).toBe(expected);
});

const waiting = [
  "$ millrace build .",
  "$ npm ci\n$ millrace cache usage --tool bazel",
  "$ cd app && npx millrace build --save .",
  "$ docker pull {{host}}/acme/web:1.4",
  "$ docker login {{host}} -u x-token --password-stdin",
  "$ curl {{origin}}/v2/_catalog",
  "$ curl -T x {{origin}}/cache/sccache/a",
  "$ curl {{origin}}/api/millrace.v1.BuildService/ListBuilds \\\n    -d '{}'",
];
const running = [
  "$ millrace login",
  "$ npm install -g millrace",
  "$ docker build .\nsee {{origin}}/cache/x and run millrace build",
  "$ curl {{origin}}/docs.md",
  "$ git clone https://git.acme.example/tools/millrace.git /opt/millrace build",
  "$ systemctl status millrace-server build",
];

test.each(waiting)("2. marked: %s", (code) => {
  expect(isPreviewSample("console", hidePlaceholders(code), cliRuns)).toBe(true);
  expect(isPreviewSample("bash", code.replace(/^\$ /gm, ""), cliRuns)).toBe(true);
  expect(isPreviewSample("yaml", code, cliRuns)).toBe(false);
});

test.each(running)("2. not marked: %s", (code) => {
  expect(isPreviewSample("console", hidePlaceholders(code), cliRuns)).toBe(false);
});

test.each([...waiting, ...running])("3. not marked once all parts run: %s", (code) => {
  expect(isPreviewSample("console", code, allRun)).toBe(false);
});

test("2. a flag that a command needs", () => {
  const cacheRuns = factsWith({ cli: "available", cache: "available", builds: "preview" });
  expect(isPreviewSample("console", "$ millrace cache usage --tool bazel", cacheRuns)).toBe(false);
  expect(isPreviewSample("console", "$ millrace cache usage", cacheRuns)).toBe(true);
});

test("4. unknown parts", () => {
  const pages = ["cli", "api", "cache", "registry", "builds"].map((id) =>
    pageOf({ path: `/docs/${id}`, part: id }),
  );
  expect(checkParts([...pages, pageOf({ part: "all" }), pageOf({ part: "none" })], allRun)).toEqual([]);
  const env = envFactsSchema.parse({
    variables: [{ name: "MILLRACE_URL", usedBy: "cli", description: "The server.", part: "clu" }],
  });
  const wrong = checkParts([...pages, pageOf({ file: "content/docs/x.mdx", part: "cashe" })], {
    ...allRun,
    env,
  });
  expect(wrong.map(({ file, message }) => `${file}: ${message}`)).toEqual([
    'content/docs/x.mdx: The page names the part "cashe", which does not exist. Did you mean "cache"?',
    'content/facts/env.yaml: MILLRACE_URL names the part "clu", which does not exist. Did you mean "cli"?',
  ]);
  const lost = checkParts(pages.slice(1), allRun).map(({ message }) => message);
  expect(lost[0]).toContain("There is no page /docs/cli.");
});
