/**
 * The image of `deploy/Dockerfile` has everything that a server needs. The test copies its content into a read-only
 * empty folder, and starts the image's command as another user with the image's variables alone, without a path:
 * 1. Pages, pages that are rendered on request and search answer; a link of the image's own command opens the console.
 * 2. The image's health check says yes, and no once the server is gone.
 * 3. A backup is written and restored by the image's own files.
 * 4. Without a build, or with an incomplete one, the start says what is missing and which command makes it.
 * 5. The image starts as `npm start` does, on the Node.js of runtime/, not as root.
 * 6. Every package that running code names is in the image; none is there for the build alone.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildFolders, root } from "#server/pages/build-folders.ts";
import { readGraph } from "../../scripts/imports/import-graph.ts";
import { readImports } from "../../scripts/imports/read-imports.ts";
import { readSourceFiles } from "../../scripts/imports/source-files.ts";
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from "../../scripts/server-flags.mjs";
import { build } from "../../scripts/steps/build.ts";
import { BUILD_DIR, freePort } from "../attack/server-process.ts";
import { saying } from "./saying.ts";
import { copyImage, healthCommand, readSlim, readStages } from "./dockerfile.ts";

const NOBODY = 65_534;
/** A user who may not write: another user where the test runs as root, for whom nothing is read-only. */
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const place = mkdtempSync(join(tmpdir(), "image-"));
const image = join(place, "opt");
const dataDir = join(place, "data", "millrace");
const slim = readSlim();
const command = slim.instructions.find(({ keyword }) => keyword === "CMD")?.args.slice(1) ?? [];

let server: ChildProcess;
let origin: string;
let variables: { [name: string]: string };

beforeAll(async () => {
  await build({ folders: buildFolders(BUILD_DIR) });
  mkdirSync(image);
  copyImage(image, BUILD_DIR);
  mkdirSync(join(place, "data"));
  chmodSync(place, 0o755);
  if (user.uid) chownSync(join(place, "data"), NOBODY, NOBODY);
  else spawnSync("chmod", ["-R", "a-w", image]);
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  variables = { PORT: String(port), HOST: "127.0.0.1", DATA_DIR: dataDir };
  server = start(command);
  await saying(server, "Millrace is at");
}, 300_000);

afterAll(() => {
  server?.kill("SIGKILL");
  spawnSync("chmod", ["-R", "u+w", image]);
  rmSync(place, { recursive: true, force: true });
});

function start(args: readonly string[], env: { [name: string]: string } = {}): ChildProcess {
  return spawn(process.execPath, args, { cwd: image, env: { ...variables, ...env }, ...user });
}

/** @returns exit code and output */
async function run(args: readonly string[], env: { [name: string]: string } = {}) {
  const child = start(args, env);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

test("1. it answers", async () => {
  const page = async (path: string) => {
    const answer = await fetch(origin + path);
    return [answer.status, await answer.text()] as const;
  };
  expect(await page("/docs/cache/overview")).toEqual([200, expect.stringContaining("</html>")]);
  expect(await page("/docs?q=gradle")).toEqual([
    200,
    expect.stringContaining("/docs/cache/reference/gradle"),
  ]);
  expect(await page("/changelog")).toEqual([200, expect.stringContaining("</html>")]);
  expect(await page("/no/such/page")).toEqual([404, expect.stringContaining("</html>")]);
  expect(await page("/console/")).toEqual([200, expect.stringContaining("<script")]);
  const search = await fetch(`${origin}/multi-search`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ queries: [{ indexUid: "docs", q: "gradle" }] }),
  });
  const { results } = (await search.json()) as { results: { hits: object[] }[] };
  expect(results[0]?.hits.length).toBeGreaterThan(0);
  const { code, output } = await run(["src/server/main.ts", "owner-link"]);
  const [, key] = /\/app\/start\/(\S+)/.exec(output) ?? [];
  expect([code, key]).toEqual([0, expect.any(String)]);
  const signIn = await fetch(`${origin}/auth/start/${key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ organization: "acme", name: "Ada" }),
  });
  const cookie = signIn.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const console = await fetch(`${origin}/console/api/overview`, { headers: { cookie } });
  expect([signIn.status, console.status]).toEqual([200, 200]);
});

test("2. health", async () => {
  const [, ...check] = healthCommand();
  expect(await run(check)).toEqual({ code: 0, output: "" });
  expect(await run(check, { PORT: String(await freePort()) })).toEqual({ code: 1, output: "" });
});

test("3. backup and restore", async () => {
  const folder = join(place, "data", "monday");
  expect(await run(["src/server/backup.ts", folder])).toMatchObject({ code: 0 });
  const elsewhere = join(place, "data", "elsewhere");
  const restored = await run(["src/server/restore.ts", folder], { DATA_DIR: elsewhere });
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining("to its state at") as string });
  if (process.getuid?.() === 0) expect(readdirSync(elsewhere)).toContain("telemetry.sqlite");
  expect((await run(["src/server/restore.ts", folder])).output).toContain("in use by the server at");
});

test("4. no build", async () => {
  const other = { PORT: "0", DATA_DIR: join(place, "data", "other") };
  const none = await run(command, { ...other, BUILD_DIR: join(place, "none") });
  expect(none.code).toBe(1);
  expect(none.output.trim()).toBe(
    `There is no build in ${join(place, "none")}. Run \`npm run build\`, or set BUILD_DIR to a folder with a complete build.`,
  );
  const part = join(place, "part");
  mkdirSync(join(part, "content"), { recursive: true });
  writeFileSync(join(part, "stamps.json"), JSON.stringify({ content: "x", pages: "x" }));
  const { code, output } = await run(command, { ...other, BUILD_DIR: part });
  expect(code).toBe(1);
  expect(output).toContain(
    "is incomplete. Missing: images, site, search, console, pages, offline, cli. Run `npm run build`",
  );
});

test("5. command, user, version", () => {
  const argsOf = (wanted: string) => slim.instructions.find(({ keyword }) => keyword === wanted)?.args;
  expect(command).toEqual(["--disable-warning=ExperimentalWarning", ...SERVER_FLAGS, "src/server/main.ts"]);
  for (const [name, value] of Object.entries(SERVER_ENVIRONMENT))
    expect(argsOf("ENV")).toContain(`${name}=${value}`);
  expect(argsOf("USER")).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  const runtime = JSON.parse(readFileSync(join(root, "runtime/linux-x64/package.json"), "utf8")) as {
    dependencies: { [name: string]: string };
  };
  const [version] = Object.values(runtime.dependencies);
  const bases = readStages().map(({ image: base }) => base);
  expect(bases.filter((base) => base.startsWith("node:"))).toHaveLength(3);
  for (const base of bases.filter((each) => each.startsWith("node:")))
    expect(base).toMatch(new RegExp(`^node:${version}-[a-z-]+$`));
});

/** Named in the server's code, but only loaded by its browser part. */
const OF_THE_BROWSER = ["posthog-js", "search-insights"];

test("6. packages", () => {
  const nameOf = (specifier: string) =>
    specifier
      .split("/")
      .slice(0, specifier.startsWith("@") ? 2 : 1)
      .join("/");
  const entries = ["src/server/main.ts", "src/server/backup.ts", "src/server/restore.ts"];
  const graph = readGraph(readSourceFiles().reachable(entries));
  const named = [...graph.values()].flat().filter(({ target, isType }) => target === null && !isType);
  const built = readdirSync(join(BUILD_DIR, "site/server"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .flatMap((file) => readImports(file, readFileSync(join(BUILD_DIR, "site/server", file), "utf8")));
  const packages = [...named, ...built]
    .map(({ specifier }) => specifier)
    .filter((specifier) => !/^(?:node:|[./#])/.test(specifier))
    .map(nameOf)
    .filter((name) => !OF_THE_BROWSER.includes(name));
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: { [name: string]: string };
  };
  expect([...new Set(packages)].sort()).toEqual(Object.keys(dependencies).sort());
});
