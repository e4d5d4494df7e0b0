/**
 * 1. buildx gets all its flags, known or not, word for word and in their order; Millrace's own are removed
 *    wherever they stood.
 * 2. A value is a value, also when it looks like a flag of Millrace; after `--` nothing is read.
 * 3. A flag of Millrace without its value is refused.
 * 4. `--save` keeps the user's own outputs and names, and adds its own output.
 * 5. Each platform has the builder of its architecture.
 * 6. `project` is found in HCL where it is an attribute of a target, and nowhere else.
 * 7. Findings of the checks are read from buildx' JSON, also for several platforms.
 * 8. A tag of `--save-tag` is made of a branch's name; what leaves nothing, or names a build, is refused.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readFacts } from "../../read-facts.ts";
import { CliError } from "../errors.ts";
import { readCompose, standInHcl } from "./bake-projects.ts";
import { formatAnnotation, readBakeChecks, readChecks } from "./lint.ts";
import { builderPlatforms, readSaveTags, withSaveOutput } from "./outputs.ts";
import { splitArguments, wordsOf } from "./split-arguments.ts";

const facts = readFacts();
const OWN = ["--project", "--save", "--save-tag", "--lint", "--build-platform", "--gpus", "--builder"];
const commands = facts.commands.filter(({ passthrough }) => passthrough !== undefined);
const split = (name: string, args: readonly string[]) =>
  splitArguments(
    args,
    commands.find((command) => command.name === name)!,
    facts.globalFlags,
  );
const tokensOf = (line: string) => split("build", line.split(" ")).theirs;

const value = fc.oneof(
  fc.constantFrom("--save", "--project=x", "--help", "-h", "--", "a b", "web"),
  fc.string({ minLength: 1 }),
);

/** One flag with its value, as words. */
function flagOf(name: string): fc.Arbitrary<string[]> {
  const { flags } = commands.find((command) => command.name === name)!;
  const known = fc.constantFrom(...flags.filter((flag) => !OWN.includes(flag.name))).chain((flag) => {
    if (flag.value === undefined)
      return fc.constantFrom<string[]>(
        ...[flag.name, flag.short ?? flag.name, `${flag.name}=false`].map((word) => [word]),
      );
    return value.chain((text) =>
      fc.constantFrom<string[]>([flag.name, text], [`${flag.name}=${text}`], [flag.short ?? flag.name, text]),
    );
  });
  const unknown = fc.constantFrom<string[]>(
    ["--new-flag"],
    ["--new=--save"],
    ["-Z"],
    ["."],
    ["-"],
    ["https://x.example/a.git#main"],
  );
  return fc.oneof(known, unknown);
}

const own = fc.constantFrom(
  ["--save"],
  ["--save-tag", "x"],
  ["--project=web"],
  ["--url", "http://a"],
  ["--builder", "b"],
  ["--lint"],
);

test.each(["build", "bake"])("1. and 2. %s passes every flag on", (name) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), flagOf(name), own)), (parts) => {
      const theirs = parts.flatMap(([, words]) => words);
      const all = parts.flatMap(([hasOwn, words, millrace]) => (hasOwn ? [...millrace, ...words] : words));
      expect(wordsOf(split(name, all).theirs)).toEqual(theirs);
      expect(wordsOf(split(name, [...all, "--", "--save"]).theirs)).toEqual([...theirs, "--", "--save"]);
    }),
  );
});

test("3. a missing value", () => {
  for (const words of [["--project"], ["--save-tag="], ["--lint=x"], [".", "--url"]])
    expect(() => split("build", words), words.join(" ")).toThrow(CliError);
  expect(split("build", ["--save=false", "--project", "a", "--project=b"]).own).toEqual({
    "--project": ["a", "b"],
  });
});

test("8. tags from the names of branches", () => {
  expect(
    readSaveTags(["main", "feature/login", "dependabot/npm_and_yarn/@types/node-24", "v1.2", "main"]),
  ).toEqual(["main", "feature-login", "dependabot-npm_and_yarn-types-node-24", "v1.2"]);
  expect(readSaveTags([`/.x${"y".repeat(200)}`])).toEqual([`x${"y".repeat(127)}`]);
  for (const text of ["", "///", "..", "bld_0xw7cq3n5t", "/bld_1"])
    expect(() => readSaveTags([text]), text).toThrow("is not a tag");
});

test("4. outputs with --save", () => {
  const save = (line: string) => withSaveOutput(tokensOf(line), ["h/a/w:bld_1", "h/a/w:x"]).join(" ");
  const added = '--output type=registry,"name=h/a/w:bld_1,h/a/w:x"';
  expect(save(".")).toBe(`${added} .`);
  expect(save("-t web --load .")).toBe(`--output type=docker,name=web ${added} .`);
  expect(save("-t a -tb --push --pull .")).toBe(`--output type=registry,"name=a,b" ${added} --pull .`);
  expect(save("-t a -o type=image --push .")).toBe(`--output type=image,name=a,push=true ${added} .`);
  expect(save("-t a -o type=local,dest=out -o type=oci,name=x .")).toBe(
    `--output type=local,dest=out --output type=oci,name=x ${added} .`,
  );
  expect(save("--push=false -o out . -- x")).toBe(`--output out ${added} . -- x`);
});

test("5. builders", () => {
  expect(builderPlatforms(["linux/amd64,linux/arm64", "linux/arm/v7"], undefined)).toEqual([
    "linux/amd64",
    "linux/arm64",
  ]);
  expect(builderPlatforms(["linux/riscv64"], undefined)).toEqual(["linux/amd64"]);
  expect(builderPlatforms(["linux/amd64,linux/arm64"], "linux/arm64")).toEqual(["linux/arm64"]);
  expect(builderPlatforms([], undefined)).toHaveLength(1);
});

test("6. projects in HCL", () => {
  const file = `variable "project" { default = "x" }
project = 1
# target "a" { project = 2 }
target "web" { # comment with "quotes and {
  project  = "prj_\${lower("A")}" /* project = 3 */
  network = "none"
  labels = {
    project = "label"
  }
  args = { text = "project = 4 }" }
  dockerfile-inline = <<EOT
project = 5
}
EOT
}
target "one" { project = x }
group "g" {
  project = 6
}
`;
  const changed = standInHcl(file);
  expect(changed).toContain('  network  = "prj_${lower("A")}"');
  expect(changed).toContain('  description = "none"');
  expect(changed).toContain('target "one" { network = x }');
  const others = [
    "project = 1",
    "project = 2",
    "project = 3",
    'project = "label"',
    "project = 4",
    "project = 5",
    "project = 6",
  ];
  for (const kept of others) expect(changed).toContain(kept);
  const without = 'target "a" {\n  network = "host"\n}\n';
  expect(standInHcl(without)).toBe(without);
  fc.assert(fc.property(fc.string(), (text) => void standInHcl(text)));
});

test("6. projects in Compose", () => {
  const read = (text: string) => readCompose({ path: "compose.yaml", text });
  expect(
    read(`name: shop
services:
  web.v1:
    build:
      context: web
      args:
        x: "project: 1"
    x-millrace:
      project: "prj_a" # the large one
  "api":
    build:
      x-millrace:
        project: prj_b
    command: |
      project: prj_c
  db:
    image: postgres # x-millrace: none
`),
  ).toEqual({ web_v1: "prj_a", api: "prj_b" });
  for (const text of [
    "services:\n  a:\n    x-millrace: { project: b }\n",
    "x-millrace: &x\n  project: b\nservices:\n  a:\n    <<: *x\n",
    '{ "services": { "a": { "x-millrace": { "project": "b" } } } }',
  ])
    expect(() => read(text), text).toThrow("without a project");
  expect(read("services: {}\n")).toEqual({});
});

test("7. findings", () => {
  const warning = {
    ruleName: "StageNameCasing",
    url: "https://docs.docker.com/go/dockerfile/rule/stage-name-casing/",
    detail: "Stage name 'A' should be lowercase",
    location: { ranges: [{ start: { line: 4 }, end: { line: 4 } }] },
  };
  const answer = JSON.stringify({ warnings: [warning], sources: [] }, null, 2);
  const [finding, ...others] = readChecks(`${answer}\n${answer}\n`) ?? [];
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ rule: "StageNameCasing", file: "Dockerfile", line: 4 });
  expect(formatAnnotation({ ...finding!, detail: "50%\nof it" })).toBe(
    "::warning file=Dockerfile,line=4,title=StageNameCasing::50%25%0Aof it\n",
  );
  expect(readChecks('{"warnings":null}')).toEqual([]);
  expect(readChecks("not found")).toBeUndefined();
  const baked = {
    group: {},
    target: { web: { build: {}, check: { warnings: [warning] } }, base: { build: {} } },
  };
  expect([...readBakeChecks(JSON.stringify(baked))]).toEqual([["web", [finding]]]);
});
