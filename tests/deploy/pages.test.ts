/**
 * The operator's documentation matches `deploy/`:
 * 1. Every file of `deploy/` that a page shows is shown unchanged; a page may leave out its head or its end.
 * 2. Every path below `deploy/` or `src/` that a page names exists, and every `npm run` is a script.
 * 3. Every variable in the table of settings is read by the server.
 * 4. The server accepts every file of settings that a page shows, with each variable and value.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { environmentVariables, parseEnvironment } from "#server/environment.ts";
import { isServerSettings } from "#docs/content/executed/states.ts";
import type { Page } from "#docs/content/types.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";

const FOLDER = "/docs/managed/overview/";

/** Path of a file on a server → its path in the repository. */
const SHOWN: { [title: string]: string } = {
  "/etc/systemd/system/millrace.service": "deploy/systemd/millrace.service",
  "/etc/nginx/conf.d/millrace.conf": "deploy/proxies/nginx.conf",
  "/etc/caddy/Caddyfile": "deploy/proxies/Caddyfile",
  "/etc/traefik/millrace.yaml": "deploy/proxies/traefik/millrace.yaml",
};

const read = (file: string) => readFileSync(join(root, file), "utf8");
let all: readonly Page[];
let pages: readonly Page[];

beforeAll(async () => {
  all = (await compileContent()).pages;
  pages = all.filter(({ path }) => path.startsWith(FOLDER));
}, 60_000);

test("1. files as they are", () => {
  const samples = pages.flatMap((page) => page.samples);
  for (const [title, file] of Object.entries(SHOWN)) {
    const shown = samples.find((sample) => sample.title === title);
    expect(shown, title).toBeDefined();
    expect(read(file), title).toContain(shown!.code.trim());
  }
  const compose = samples.find(({ language, code }) => language === "yaml" && code.startsWith("services:"));
  expect(read("deploy/compose.yaml")).toContain(compose!.code.trim());
});

test("2. paths and scripts", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { [name: string]: string } };
  const sources = pages.map(({ file }) => read(file)).join("\n");
  const paths = [...sources.matchAll(/(?<![\w/.-])(?:deploy|src)\/[\w./-]*\w/g)].map(([path]) => path);
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const named = [...sources.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("3. settings", () => {
  const rows = read("content/docs/managed/overview/run.mdx").matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm);
  const names = [...rows].flatMap(([, cell]) => [...cell!.matchAll(/[A-Z_]+/g)].map(([name]) => name));
  expect(names.length).toBeGreaterThan(8);
  const folders = read("src/server/pages/build-folders.ts");
  expect(names.filter((name) => !(name in environmentVariables) && !folders.includes(name))).toEqual([]);
});

test("4. files of settings", () => {
  const files = all.flatMap(({ path, samples }) =>
    samples.filter(isServerSettings).map(({ code }) => ({ path, settings: parseEnv(code) })),
  );
  expect(files.length).toBeGreaterThan(7);
  for (const { path, settings } of files) {
    expect(
      Object.keys(settings).filter((name) => !(name in environmentVariables)),
      path,
    ).toEqual([]);
    // A key of the reader's own.
    const own = { MILLRACE_SECRET_KEY: randomBytes(32).toString("base64") };
    const set = Object.entries(own).filter(([name]) => settings[name]?.startsWith("<"));
    expect(() => parseEnvironment({ ...settings, ...Object.fromEntries(set) }), path).not.toThrow();
  }
});
