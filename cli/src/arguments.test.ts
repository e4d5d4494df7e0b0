/**
 * 1. Every example of the facts is a valid command line, and so are its flags with every choice.
 * 2. Whatever the words are, the result is a command, help, the version, or an error with exit code 2.
 * 3. Global flags may be anywhere; `-h` and `-v` win over missing arguments.
 * 4. Completion offers every command and every flag, and never throws.
 * 5. Names of commands are unique, and each command's part has a name for messages.
 * 6. The short form of trust relationships converts in both directions, as the page says.
 * 7. Durations and sizes are read in full or refused.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readFacts } from "../read-facts.ts";
import { choicesOf, parseCommandLine } from "./arguments.ts";
import { complete } from "./complete.ts";
import { CliError } from "./errors.ts";
import { describeTrust, parseTrust } from "./trust.ts";
import { formatSize, parseDuration, parseSize } from "./units.ts";

const facts = readFacts();
const parse = (line: string) => parseCommandLine(line.split(" ").filter(Boolean), facts);
const none = async () => [];

test("1. examples", () => {
  for (const { name, examples } of facts.commands)
    for (const { run } of examples) {
      const [, line = ""] = /(?:^|\s|")millrace (.*?)(?:"|$| [<>])/.exec(run) ?? [];
      expect(parse(line), run).toMatchObject({ kind: "command", command: { name } });
    }
  for (const command of facts.commands.filter(({ passthrough }) => passthrough === undefined))
    for (const flag of command.flags)
      for (const choice of choicesOf(flag) ?? []) {
        const needed = [
          ...command.arguments.map(() => "x"),
          ...command.flags.filter(({ required }) => required).map(({ name }) => `${name}=x`),
        ];
        expect(parse(`${command.name} ${needed.join(" ")} ${flag.name}=${choice}`)).toMatchObject({
          kind: "command",
        });
      }
});

test("2. any words", () => {
  const words = [
    ...facts.commands.flatMap(({ name }) => name.split(" ")),
    "--output",
    "json",
    "--url",
    "-h",
    "--",
    "-",
  ];
  const word = fc.oneof(fc.constantFrom(...words), fc.string());
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (line) => {
      try {
        expect(["command", "help", "version"]).toContain(parseCommandLine(line, facts).kind);
      } catch (error) {
        expect(error).toBeInstanceOf(CliError);
        expect(error).toMatchObject({ exitCode: 2 });
      }
    }),
  );
});

test("3. global flags", () => {
  for (const line of ["--org acme projects list", "projects --org acme list", "projects list --org=acme"]) {
    const parsed = parse(line);
    expect(parsed.kind === "command" && parsed.flags.text("--org")).toBe("acme");
  }
  expect(parse("tokens create -h")).toEqual({ kind: "help", name: "tokens create" });
  expect(parse("tokens --help")).toEqual({ kind: "help", name: "tokens" });
  expect(parse("-h")).toEqual({ kind: "help", name: "" });
  expect(parse("tokens create -v")).toEqual({ kind: "version" });
  const trusts = parse("projects update --trust github:a/b --trust gitlab:c/d");
  expect(trusts.kind === "command" && trusts.flags.texts("--trust")).toEqual(["github:a/b", "gitlab:c/d"]);
});

test("4. completion", async () => {
  const offered = async (line: string) =>
    (await complete(line.split(" "), facts, none)).map(({ value }) => value);
  for (const { name, flags } of facts.commands) {
    const words = name.split(" ");
    for (let count = 0; count < words.length; count++)
      expect(await offered([...words.slice(0, count), ""].join(" "))).toContain(words[count]);
    const all = [...flags, ...facts.globalFlags].map((flag) => flag.name);
    expect(await offered(`${name} --`)).toEqual(all);
  }
  expect(await offered("projects list --output json --o")).toEqual(["--org"]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string(), { minLength: 1 }), async (words) => {
      for (const { value } of await complete(words, facts, none))
        expect(value.startsWith(words.at(-1)!)).toBe(true);
    }),
  );
});

test("5. names", () => {
  const names = facts.commands.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { part } of facts.commands) expect(facts.parts[part]).toBeDefined();
});

test("6. trust", () => {
  const known: [string, string, object][] = [
    ["github:acme/web", "https://token.actions.githubusercontent.com", { repository: "acme/web" }],
    ["gitlab:acme/tools/web", "https://gitlab.com", { project_path: "acme/tools/web" }],
    [
      "circleci:5a1c-9b/c0ff",
      "https://oidc.circleci.com/org/5a1c-9b",
      { "oidc.circleci.com/project-id": "c0ff" },
    ],
    [
      "buildkite:acme/web",
      "https://agent.buildkite.com",
      { organization_slug: "acme", pipeline_slug: "web" },
    ],
  ];
  for (const [text, issuer, claims] of known) {
    const trust = parseTrust(text, "--trust");
    expect(trust).toEqual({ issuer, claims });
    expect(describeTrust({ ...trust, cache: "read" })).toBe(text);
  }
  const narrow = {
    issuer: "https://gitlab.com",
    claims: { project_path: "a/b", ref: "main" },
    cache: "write",
  };
  expect(describeTrust(narrow)).toBe("https://gitlab.com project_path=a/b ref=main, cache write");
  for (const text of ["", "github:", "github:acme", "github:a/b/c", "svn:a/b", "github:a/b c", "GitHub:a/b"])
    expect(() => parseTrust(text, "--trust"), text).toThrow(CliError);
});

test("7. units", () => {
  expect(parseDuration("90d", "--expires")).toBe(90 * 86_400_000);
  expect(parseDuration("never", "--expires")).toBeUndefined();
  expect(parseSize("50GB", "--cache-size")).toBe(50_000_000_000n);
  expect(
    [50_000_000_000n, 500_000_000n, 8_204_682_957n, 10n ** 12n, 53_687_091_200n].map(formatSize),
  ).toEqual(["50 GB", "500 MB", "8.2 GB", "1 TB", "53.7 GB"]);
  for (const text of ["", "0d", "-1d", "1.5h", "90", "d", "90 d", "90days", "9999999d", "1e3d"])
    expect(() => parseDuration(text, "--expires"), text).toThrow(CliError);
  for (const text of ["", "0GB", "50", "GB", "50 GB", "50gib", "1e3GB"])
    expect(() => parseSize(text, "--cache-size"), text).toThrow(CliError);
});
