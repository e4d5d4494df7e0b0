/**
 * The repository's promises to newcomers and for every change:
 * 1. Prettier formats every file that git lists, except those of a list with reasons; no reason is left over.
 * 2. The linter reads every code file that git lists, without an exception.
 * 3. Each command of package.json is one line that runs a script which exists.
 * 4. GitHub accepts the workflows: one runs `.ci/run`, one checks packages for advisories, one runs the long tests.
 * 5. `.nvmrc` names the Node.js that the launcher requires.
 * 6. Each unit test that git lists runs, in one project of Vitest; the longest, which begin first, exist.
 * 7. Each project of Playwright runs, in one of the two runs.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { getFileInfo } from "prettier";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { checkWorkflows } from "#docs/content/checks/check-workflows.ts";
import type { Page } from "#docs/content/types.ts";
import { LEAVING_CASES } from "./checks/test-runs.ts";
import { LONGEST } from "../tests/longest-first.ts";
import vitestConfig from "../vitest.config.ts";
import { root } from "#server/pages/build-folders.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");
const run = (command: string, args: string[]) =>
  execFileSync(command, args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);

/** Includes files that are about to be added. A file that was deleted but not committed is also listed. */
const files = run("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"]).filter(
  (file) => existsSync(join(root, file)),
);

/** Files that Prettier does not format. A path that ends with `/` is a folder, one that starts with `.` an extension or a file. */
const UNFORMATTED: { reason: string; paths: string[] }[] = [
  {
    reason:
      "It pads tables, so that one longer cell rewrites every row, and breaks a component's sentence over lines.",
    paths: ["content/docs/", "content/translations/de/docs/"],
  },
  { reason: "npm writes them.", paths: ["package-lock.json"] },
  { reason: "The benchmarks write them.", paths: ["bench/README.md", "bench/telemetry.md", "bench/api.md"] },
  { reason: "Drawn by a program, and as small as it gets.", paths: [".svg"] },
  { reason: "Bytes.", paths: [".png", ".webp", ".woff2", ".index", ".binpb", ".gz", ".table"] },
  { reason: "Recorded as it was sent, one request on each line.", paths: [".ndjson"] },
  { reason: "The text of a licence is its author's.", paths: ["LICENSE", ".txt"] },
  {
    reason: "Prettier does not know their format.",
    paths: [
      ".ci/run",
      ".github/CODEOWNERS",
      ".gitignore",
      ".prettierignore",
      ".npmrc",
      ".nvmrc",
      ".editorconfig",
      ".proto",
      "deploy/Dockerfile",
      "deploy/Dockerfile.dockerignore",
      "deploy/proxies/Caddyfile",
      "deploy/proxies/nginx.conf",
      ".ps1",
      ".py",
      ".sh",
      "deploy/systemd/",
    ],
  },
];

const isBelow = (file: string, path: string) =>
  path.endsWith("/")
    ? file.startsWith(path)
    : file === path || file.endsWith(/^[./]/.test(path) ? path : `/${path}`);

test("1. Prettier formats every file but those with a reason", async () => {
  const ignorePath = [join(root, ".gitignore"), join(root, ".prettierignore")];
  const unformatted: string[] = [];
  for (const file of files) {
    const { ignored, inferredParser } = await getFileInfo(join(root, file), { ignorePath });
    if (ignored || inferredParser === null) unformatted.push(file);
  }
  const paths = UNFORMATTED.flatMap((each) => each.paths);
  expect(unformatted.filter((file) => !paths.some((path) => isBelow(file, path)))).toEqual([]);
  expect(paths.filter((path) => !unformatted.some((file) => isBelow(file, path)))).toEqual([]);
  // A file of a listed kind that is formatted anyway needs no reason.
  const formatted = files.filter((file) => !unformatted.includes(file));
  expect(formatted.filter((file) => paths.some((path) => isBelow(file, path)))).toEqual([]);
});

test("2. the linter reads every file of code", () => {
  const linted = run(process.execPath, ["node_modules/oxlint/bin/oxlint", "--debug=files"]);
  expect(linted.toSorted()).toEqual(files.filter((file) => /\.[cm]?[jt]sx?$/.test(file)).toSorted());
});

test("3. each command is one plain line that runs a script", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const wanted = ["build", "start", "dev", "test", "test:unit", "test:e2e", "lint", "format", "typecheck"];
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(wanted));
  for (const [name, line] of Object.entries(scripts)) {
    const [, script] = /^node scripts\/launch\.mjs(?: --server)?(?: ([^\s|&;]+)[^|&;]*)?$/.exec(line) ?? [
      line,
    ];
    if (name !== "node") expect(script && existsSync(join(root, script)), `${name}: ${line}`).toBe(true);
  }
});

test("4. GitHub accepts the workflows", async () => {
  const file = ".github/workflows/ci.yml";
  const [advisories, long] = [".github/workflows/advisories.yml", ".github/workflows/long.yml"];
  const check = (code: string) => {
    const samples = [{ title: file, code, line: 1, diff: false }];
    return checkWorkflows([{ file, samples } as unknown as Page]);
  };
  for (const each of [file, advisories, long]) expect(await check(read(each))).toEqual([]);
  expect(await check(read(file).replace("runs-on", "run-on"))).not.toEqual([]);
  const { jobs } = parse(read(file)) as { jobs: { test: { steps: { run?: string }[] } } };
  expect(jobs.test.steps.map((step) => step.run).filter(Boolean)).toEqual([".ci/run"]);
  expect(read(advisories)).toContain("run: npm audit --omit=dev\n");
  expect(read(long)).toContain("run: npm run test:long\n");
});

test("5. .nvmrc names the launcher's Node.js", () => {
  expect(read("scripts/runtime.mjs")).toContain(`const wantedMajor = ${read(".nvmrc").trim()};`);
});

interface Globs {
  name: string;
  include: string[];
  exclude?: string[];
}

test("6. each unit test runs once, and those of records again on PostgreSQL", () => {
  const projects = (vitestConfig.test?.projects ?? []).map((project) => (project as { test: Globs }).test);
  // In Node.js, `*` does not match folders that start with a dot; in Vitest it does.
  const matches = (file: string, globs: string[] = []) =>
    globs.some((glob) => matchesGlob(file.replaceAll("/.", "/"), glob));
  for (const file of files.filter((each) => /\.test\.tsx?$/.test(each))) {
    const takers = projects
      .filter(({ include, exclude }) => matches(file, include) && !matches(file, exclude))
      .filter(({ name }) => !["clients", "postgres"].includes(name) || !file.startsWith("src/"));
    expect(takers, file).toHaveLength(1);
    const isOnPostgres = file.startsWith("src/") && read(file).includes("testDatabaseKinds");
    const again = projects.filter(
      ({ name, include }) =>
        ["clients", "postgres"].includes(name) && (include.includes(file) || matches(file, include)),
    );
    expect([file, again.length]).toEqual([file, isOnPostgres || takers[0]?.name === "clients" ? 1 : 0]);
  }
  for (const file of LONGEST) expect(files, file).toContain(file);
});

test("6. cases that the usual runs leave out are in the long run", () => {
  const leaving = files.filter(
    (file) => file.endsWith(".test.ts") && /["/]every-case\.ts"|"EVERY_CASE"\]/.test(read(file)),
  );
  expect(leaving.toSorted()).toEqual(LEAVING_CASES.toSorted());
});

test("7. each project of the browser tests runs once", () => {
  const projects = [...read("playwright.config.ts").matchAll(/name: ("[^"]+")/g)].map(
    ([, name = ""]) => name,
  );
  const runs = [...read("scripts/checks/checks.ts").matchAll(/runPlaywright\(\[(.+)\]\)/g)];
  const taken = runs.flatMap(([, names = ""]) => names.match(/"[^"]+"/g) ?? []);
  expect(projects).toContain('"phone"');
  expect(taken.toSorted()).toEqual(projects.toSorted());
});
