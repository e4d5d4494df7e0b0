/**
 * Properties of facts:
 * 1. The examples in the schemas' comments are valid files.
 * 2. A wrong value is reported with its file, line and path; the other files are still read.
 * 3. A page must not cover only versions of a tool that are newer than the version in the tests.
 * 4. A missing file counts as empty and is reported.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadFacts, noFacts } from "./facts.ts";

const root = mkdtempSync(join(tmpdir(), "facts-"));
mkdirSync(join(root, "content/facts"), { recursive: true });
afterAll(() => rmSync(root, { recursive: true, force: true }));

const source = ["fact-schemas.ts", "reference-schemas.ts"]
  .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
  .join("\n");
const examples = [...source.matchAll(/`content\/facts\/([\w-]+)\.yaml`[\s\S]*?```yaml\n([\s\S]*?)```/g)].map(
  ([, name = "", yaml = ""]) => ({ name, yaml: yaml.replace(/^ \* ?/gm, "") }),
);

function write(changes: Record<string, string> = {}): void {
  for (const { name, yaml } of examples)
    writeFileSync(join(root, `content/facts/${name}.yaml`), changes[name] ?? yaml);
  // Generated, in the form of env.yaml.
  writeFileSync(join(root, "content/facts/server-variables.yaml"), "variables: []\n");
}

test("the examples of the comments are valid", () => {
  expect([...examples.map(({ name }) => name), "server-variables"].sort()).toEqual(
    Object.keys(noFacts).sort(),
  );
  write();
  const { facts, problems } = loadFacts(root);
  expect(problems).toEqual([]);
  expect(facts.cli.commands[0]?.flags.map(({ name }) => name)).toEqual(["--project", "--save"]);
  expect(facts.limits.limits[0]).toMatchObject({ id: "cache.quota", value: "50 GB" });
});

test.each([
  [
    "limits:\n  - id: cache.quota\n    group: Cache\n    name: x\n    valeu: 3\n",
    5,
    'limits.0: Unrecognized key: "valeu"',
  ],
  ["limits:\n  - id: Cache Quota\n    group: Cache\n    name: x\n    value: 3\n", 2, "limits.0.id"],
  ["limits: [", 1, "Not YAML"],
])("a wrong file %#", (limits, line, message) => {
  write({ limits });
  const { facts, problems } = loadFacts(root);
  const found = problems.find((problem) => problem.message.includes(message));
  expect(found).toMatchObject({ file: "content/facts/limits.yaml", line, rule: "facts", severity: "error" });
  expect(facts.limits).toEqual(noFacts.limits);
  expect(facts.runners.runners).toHaveLength(1);
});

test("a build tool whose page covers only what was never tried", () => {
  const cache = examples.find(({ name }) => name === "cache")?.yaml ?? "";
  const problemsOf = (since: string) => {
    write({ cache: cache.replace(/tested: .*/, `tested: 3.9.11, extension 1.2.2\n    since: "${since}"`) });
    return loadFacts(root).problems.map(({ message }) => message);
  };
  expect(problemsOf("3.9")).toEqual([]);
  expect(problemsOf("3.9.11")).toEqual([]);
  expect(problemsOf("3.10")).toEqual([
    "tools.0.since: is newer than `tested`: its page requires a version that was never tested",
  ]);
});

test("a missing file", () => {
  write();
  rmSync(join(root, "content/facts/env.yaml"));
  const { facts, problems } = loadFacts(root);
  expect(facts.env).toEqual(noFacts.env);
  expect(problems.map(({ file }) => file)).toEqual(["content/facts/env.yaml"]);
});
