/**
 * The built CLI with a program in place of buildx, and a small Millrace.
 * 1. `build` gives buildx every flag, a builder with certificates that only the user can read, and a login for the
 *    registry in addition to the user's own; afterwards none of it is left.
 * 2. However buildx ends, the build is closed on the server, and its state is the last line and the exit code; also on
 *    a terminal, where the CLI does not read buildx' drawing.
 * 3. A signal cancels the build on the server and ends buildx; a second signal does not wait. Nothing is left behind.
 * 4. The CLI waits in a queue; a refusal is reported, and the build does not stay open; so is who canceled it.
 * 5. `--lint` builds nothing when the checks find something, in GitHub's format in a job.
 * 6. `bake` makes a build of each target, in its project; a target that fails ends the others.
 * 7. `builds list`, `show`, `logs` and `cancel`; a log continues where its connection broke.
 * 8. Without buildx, a project or a login, nothing is registered.
 */
import { once } from "node:events";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addBuild, createCliBuilds } from "./cli-builds-server.ts";
import { buildCli, makePlace, runCli, runOnTerminal } from "./cli-process.ts";
import { type CliServer, startCliServer, USER_TOKEN } from "./cli-server.ts";

const place = makePlace();
const home = place.home();
const temporary = join(place.path, "tmp");
const docker = join(home, ".docker");
const calls = join(place.path, "calls.jsonl");
const started = join(place.path, "started");
const buildx = join(place.path, "buildx.mjs");
let main: string;
let server: CliServer;

/** Records how it was called, and does what the test wants. */
const FAKE = `#!${process.execPath}
import { appendFileSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
const args = process.argv.slice(2);
const { DOCKER_CONFIG, BUILDX_CONFIG, BUILDX_BUILDER, FAKE = "", FAKE_CALLS, FAKE_STARTED } = process.env;
const config = existsSync(join(DOCKER_CONFIG ?? "", "config.json")) ? readFileSync(join(DOCKER_CONFIG, "config.json"), "utf8") : "{}";
const instance = join(BUILDX_CONFIG ?? "", "instances", "millrace");
const builder = BUILDX_CONFIG && existsSync(instance) ? JSON.parse(readFileSync(instance, "utf8")) : { Nodes: [] };
const pems = builder.Nodes.flatMap(({ DriverOpts }) => ["cacert", "cert", "key"].map((name) => [statSync(DriverOpts[name]).mode & 0o777, readFileSync(DriverOpts[name], "utf8")]));
const node = BUILDX_CONFIG && existsSync(BUILDX_CONFIG) ? readFileSync(join(BUILDX_CONFIG, ".buildNodeID"), "utf8") : "";
const definition = args.includes("bake") && args.includes("--builder") ? readFileSync(args[args.indexOf("--file") + 1], "utf8") : "";
appendFileSync(FAKE_CALLS, JSON.stringify({ args, config: JSON.parse(config), pems, node, nodes: builder.Nodes, builder: BUILDX_BUILDER, folder: DOCKER_CONFIG, definition }) + "\\n");
const at = args.indexOf("--metadata-file");
if (args.includes("--print")) { process.stdout.write(process.env.FAKE_PRINT); process.exit(0); }
if (args.some((arg) => arg.startsWith("--call=check"))) { process.stdout.write(process.env.FAKE_CHECKS ?? '{"warnings":null}'); process.exit(0); }
if (at > 0) writeFileSync(args[at + 1], JSON.stringify(args[0] === "bake" ? { [args.at(-1)]: { "containerimage.digest": "sha256:" + args.at(-1) } } : { "containerimage.digest": "sha256:abc" }));
if (FAKE === "fail" || FAKE === "fail " + args.at(-1)) { process.stderr.write("ERROR: step failed\\n"); process.exit(1); }
if (FAKE === "mute") process.exit(3);
if (FAKE.startsWith("hang") || FAKE.startsWith("fail ")) {
  process.on("SIGINT", () => FAKE === "hang forever" || process.exit(1));
  writeFileSync(FAKE_STARTED, "");
  setInterval(() => {}, 1000);
}
`;

beforeAll(async () => {
  main = await buildCli(join(place.path, "package"));
  server = await startCliServer();
  server.projects.push(
    { id: "prj_0000000000", name: "web", builderSize: 4, cacheSizeBytes: 1n, retentionDays: 1, trust: [] },
    { id: "prj_0000000001", name: "api", builderSize: 4, cacheSizeBytes: 1n, retentionDays: 1, trust: [] },
  );
  mkdirSync(join(docker, "contexts"), { recursive: true });
  writeFileSync(
    join(docker, "config.json"),
    JSON.stringify({ credsStore: "desktop", auths: { "ghcr.io": { auth: "eA==" } } }),
  );
  writeFileSync(buildx, FAKE, { mode: 0o755 });
}, 120_000);
afterAll(async () => {
  await server.close();
  place.remove();
});
beforeEach(() => {
  server.builds = Object.assign(server.builds, createCliBuilds());
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
  for (const file of [calls, started]) rmSync(file, { force: true });
});

const environment = (more: { [name: string]: string } = {}) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  TMPDIR: temporary,
  MILLRACE_URL: server.origin,
  MILLRACE_TOKEN: USER_TOKEN,
  MILLRACE_PROJECT: "prj_0000000000",
  MILLRACE_BUILDX: buildx,
  BUILDX_BUILDER: "mine",
  // The CLI does not check whether something listens there.
  DOCKER_HOST: "ssh://docker.example",
  FAKE_CALLS: calls,
  FAKE_STARTED: started,
  ...more,
});
const millrace = (args: readonly string[], more: { [name: string]: string } = {}) =>
  runCli(main, args, { env: environment(more), cwd: home });

interface Call {
  args: string[];
  config: { [name: string]: unknown };
  pems: [number, string][];
  node: string;
  nodes: { Endpoint: string; Platforms: unknown; DriverOpts: { [name: string]: string } }[];
  builder?: string;
  folder: string;
  definition: string;
}
const readCalls = (): Call[] =>
  existsSync(calls)
    ? readFileSync(calls, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Call)
    : [];
const nothingLeft = () => expect(readdirSync(temporary)).toEqual([]);

test("1. what buildx gets", async () => {
  const flags = ["-t", "x", "--new-flag", "--secret", "id=a,src=--save", "."];
  expect(await millrace(["build", ...flags])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "bld_0000000000 succeeded\n",
  });
  const [run] = readCalls();
  const [node] = run!.nodes;
  expect([node?.Endpoint, node?.Platforms, node?.DriverOpts["servername"]]).toEqual([
    server.builds.endpoint.address,
    null,
    "builder",
  ]);
  expect(run!.pems).toEqual([
    [0o600, "ca\n"],
    [0o600, "certificate\n"],
    [0o600, "key\n"],
  ]);
  expect(run!.args.slice(-flags.length)).toEqual(flags);
  expect(run!.args.slice(0, 3)).toEqual(["build", "--builder", "millrace"]);
  expect(run!.builder).toBeUndefined();
  const auth = Buffer.from(`x-token:${USER_TOKEN}`).toString("base64");
  const host = new URL(server.origin).host;
  expect(run!.config).toEqual({
    credsStore: "desktop",
    credHelpers: { [host]: "" },
    auths: { "ghcr.io": { auth: "eA==" }, [host]: { auth } },
  });
  // What buildx sends again depends on it.
  expect(run!.node).toMatch(/^[\da-f]{16}$/);
  nothingLeft();
  await millrace([
    "build",
    "--platform=linux/amd64,linux/arm64",
    "--save-tag",
    "v1",
    "--metadata-file",
    "m.json",
    "-t",
    "x",
    ".",
  ]);
  const last = readCalls()[1];
  expect(last!.nodes.map(({ Platforms: platforms }) => platforms)).toEqual([
    [{ os: "linux", architecture: "amd64" }],
    [{ os: "linux", architecture: "arm64" }],
  ]);
  expect(last!.node).toBe(run!.node);
  expect(last!.args.join(" ")).toContain(
    `type=registry,"name=${host}/acme/web:bld_0000000001,${host}/acme/web:v1"`,
  );
  expect(server.builds.created[1]).toMatchObject({ save: true, saveTags: ["v1"] });
  expect(JSON.parse(readFileSync(join(home, "m.json"), "utf8"))).toEqual({
    "containerimage.digest": "sha256:abc",
    "millrace.build": "bld_0000000001",
  });
  expect(server.builds.calls).toContain("finish bld_0000000001 succeeded sha256:abc");
  nothingLeft();
});

test("2. how it ends", async () => {
  expect(await millrace(["build", "."], { FAKE: "fail" })).toMatchObject({
    code: 1,
    stderr: "ERROR: step failed\nbld_0000000000 failed: step failed\n",
  });
  expect(server.builds.calls.at(-1)).toBe("finish bld_0000000000 step failed sha256:abc");
  const raw = await millrace(["build", "--progress", "rawjson", "."]);
  expect(JSON.parse(raw.stderr)).toEqual({ millrace: { build: "bld_0000000001", state: "succeeded" } });
  expect((await millrace(["build", "-q", "."])).stderr).toBe("");
  const repository = `${new URL(server.origin).host}/acme/web`;
  for (const [flags, names] of [
    [["--save"], ["bld_0000000003"]],
    [
      ["--save", "--save-tag", "1.4", "--save-tag", "latest"],
      ["1.4", "latest"],
    ],
  ] as const)
    expect((await millrace(["build", ...flags, "."])).stderr.split("\n").slice(1, -1)).toEqual(
      names.map((name) => `${repository}:${name}`),
    );
  nothingLeft();
  const mute = await millrace(["build", "."], { FAKE: "mute" });
  expect(mute.stderr).toMatch(/^bld_\w+ failed: buildx exited with code 3\n$/);
  const command = [process.execPath, main, "build"];
  const onTerminal = (...flags: string[]) =>
    runOnTerminal([...command, ...flags, "."], {
      env: environment({ FAKE: "fail" }),
      cwd: home,
      columns: 200,
    });
  const drawn = await onTerminal();
  const elsewhere = "buildx exited with code 1: see the terminal for the reason";
  expect(drawn.stdout).toMatch(new RegExp(`ERROR: step failed\\s+bld_\\w+ failed: ${elsewhere}\\s+$`));
  expect(server.builds.calls.at(-1)).toContain(elsewhere);
  // Plain output is read on its way to the terminal.
  const plain = await onTerminal("--progress", "plain");
  expect(plain.stdout).toMatch(/ERROR: step failed\s+bld_\w+ failed: step failed\s+$/);
});

/** Signals the CLI once buildx runs. */
async function interrupt(args: readonly string[], fake: string, signals: readonly NodeJS.Signals[]) {
  const child = spawn(process.execPath, [main, ...args], {
    env: environment({ FAKE: fake }),
    cwd: home,
    stdio: "pipe",
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const appears = new AbortController();
  await new Promise<void>((resolve) => {
    const look = () => existsSync(started) && resolve();
    watch(place.path, { signal: appears.signal }, look);
    look();
  });
  appears.abort();
  for (const signal of signals) child.kill(signal);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr };
}

test("3. signals", async () => {
  expect(await interrupt(["build", "."], "hang", ["SIGINT"])).toEqual({
    code: 130,
    stderr: "bld_0000000000 canceled\n",
  });
  rmSync(started);
  expect(await interrupt(["build", "."], "hang", ["SIGTERM"])).toEqual({
    code: 143,
    stderr: "bld_0000000001 canceled\n",
  });
  expect(server.builds.calls).toContain("cancel bld_0000000000");
  rmSync(started);
  const twice = await interrupt(["build", "."], "hang forever", ["SIGINT", "SIGTERM"]);
  expect(twice.stderr).toBe("bld_0000000002 canceled\n");
  nothingLeft();
});

test("4. the queue", async () => {
  server.builds.waits = 3;
  expect((await millrace(["build", "."])).code).toBe(0);
  expect(server.builds.calls.filter((call) => call.startsWith("endpoint"))).toHaveLength(4);
  server.builds.refusal = new ConnectError(
    "this server has no builder for linux/arm64",
    Code.FailedPrecondition,
  );
  expect(await millrace(["build", "--platform=linux/arm64", "."])).toMatchObject({
    code: 1,
    stderr: "millrace: failed_precondition: this server has no builder for linux/arm64\n",
  });
  // Its page says why there was no build, and names no one who canceled it.
  expect(server.builds.calls.at(-1)).toBe("finish bld_0000000001 this server has no builder for linux/arm64");
  // Someone else canceled it meanwhile.
  server.builds.refusal = undefined;
  server.builds.endWhileWaiting = "Canceled by ada.";
  const canceled = { code: 1, stderr: "bld_0000000002 canceled: Canceled by ada.\n" };
  expect(await millrace(["build", "."])).toMatchObject(canceled);
  nothingLeft();
});

test("4. the job", async () => {
  const job = {
    GITHUB_ACTIONS: "true",
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "acme/shop",
    GITHUB_REF: "refs/pull/418/merge",
    GITHUB_WORKFLOW_REF: "acme/shop/.github/workflows/image.yml@refs/pull/418/merge",
    GITHUB_RUN_ID: "77",
  };
  expect((await millrace(["build", "."], job)).code).toBe(0);
  const ofGitLab = { GITLAB_CI: "true", CI_MERGE_REQUEST_IID: "9", CI_JOB_URL: "https://gitlab.example/j/1" };
  expect((await millrace(["build", "."], ofGitLab)).code).toBe(0);
  expect(server.builds.created.map(({ labels }) => labels)).toEqual([
    {
      pull_request: "https://github.com/acme/shop/pull/418",
      workflow: "image.yml",
      run_url: "https://github.com/acme/shop/actions/runs/77",
    },
    { pull_request: "#9", run_url: "https://gitlab.example/j/1" },
  ]);
});

test("5. checks", async () => {
  const location = { ranges: [{ start: { line: 4 } }] };
  const warnings = [
    { ruleName: "SecretsUsedInArgOrEnv", url: "https://docs.example/rule", detail: "Do not (ARG)", location },
  ];
  const ended = await millrace(["build", "--lint", "-t", "x", "--load", "."], {
    FAKE_CHECKS: JSON.stringify({ warnings }),
    GITHUB_ACTIONS: "true",
  });
  expect(ended).toMatchObject({
    code: 1,
    stdout: "::warning file=Dockerfile,line=4,title=SecretsUsedInArgOrEnv::Do not (ARG)\n",
  });
  expect(ended.stderr).toContain(
    "WARNING: SecretsUsedInArgOrEnv - https://docs.example/rule\nDo not (ARG)\nDockerfile:4\n",
  );
  expect(readCalls().filter(({ args }) => args[0] === "build")).toHaveLength(1);
  expect(server.builds.calls.at(-1)).toMatch(/^finish bld_0000000000 the checks found one problem/);
  expect((await millrace(["build", "--lint", "."])).code).toBe(0);
});

test("6. bake", async () => {
  const target = (more = {}) => ({ context: ".", tags: ["x:1"], output: [{ type: "docker" }], ...more });
  const print = {
    group: { default: { targets: ["all"] }, all: { targets: ["api", "web"] } },
    target: {
      api: target({ contexts: { b: "target:base" }, network: "api" }),
      base: target(),
      web: target(),
    },
  };
  writeFileSync(join(home, "docker-bake.hcl"), 'target "api" {\n  project = "api"\n}\n');
  const FAKE_PRINT = JSON.stringify(print);
  const ended = await millrace(
    ["bake", "--save-tag", "1.4", "--metadata-file", "bake.json", "--allow", "network.host"],
    { FAKE_PRINT },
  );
  expect(ended).toMatchObject({ code: 0, stdout: "" });
  const repository = `${new URL(server.origin).host}/acme/web`;
  expect(ended.stderr.split("\n")).toEqual([
    "api  bld_0000000000 succeeded",
    `${repository}:api-1.4`,
    "web  bld_0000000001 succeeded",
    `${repository}:web-1.4`,
    "",
  ]);
  expect(server.builds.created).toMatchObject([
    { projectId: "prj_0000000001", saveTags: ["api-1.4"], labels: { target: "api" } },
    { projectId: "prj_0000000000", saveTags: ["web-1.4"], labels: { target: "web" } },
  ]);
  const runs = readCalls().filter(({ args }) => args[0] === "bake" && !args.includes("--print"));
  expect(runs.map(({ args }) => args.slice(-4)).toSorted()).toEqual(
    ["api", "web"].map((name) => ["--allow", "network.host", "--progress=rawjson", name]),
  );
  const api = JSON.parse(runs.find(({ args }) => args.at(-1) === "api")!.definition) as typeof print;
  const host = new URL(server.origin).host;
  expect(api.target.api).not.toHaveProperty("tags");
  expect(api.target.api.output).toEqual([
    { type: "docker", name: "x:1" },
    { type: "registry", name: `${host}/acme/web:bld_0000000000,${host}/acme/web:api-1.4` },
  ]);
  expect(api.target.base.output).toEqual([{ type: "cacheonly" }]);
  expect(JSON.parse(readFileSync(join(home, "bake.json"), "utf8"))).toEqual({
    api: { "containerimage.digest": "sha256:api", "millrace.build": "bld_0000000000" },
    web: { "containerimage.digest": "sha256:web", "millrace.build": "bld_0000000001" },
  });
  const failed = await millrace(["bake"], { FAKE_PRINT, FAKE: "fail web" });
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("web: ERROR: step failed\n");
  expect(failed.stderr).toContain("api  bld_0000000002 canceled\nweb  bld_0000000003 failed: step failed\n");
  const quiet = await millrace(["bake", "--progress", "quiet"], { FAKE_PRINT, FAKE: "fail web" });
  expect(quiet.stderr).toBe("api  bld_0000000004 canceled\nweb  bld_0000000005 failed: step failed\n");
  rmSync(join(home, "docker-bake.hcl"));
  nothingLeft();
});

test("7. builds", async () => {
  const at = (seconds: number) => timestampFromMs(Date.UTC(2026, 10, 21, 10, 2, seconds));
  const step = {
    number: "#8",
    name: "[2/5] RUN make\u001b[31m",
    state: "succeeded",
    id: "sha256:1",
    durationMs: 5200n,
  };
  const project = { projectId: "prj_0000000000", stepsTotal: 11, stepsCached: 9, startedAt: at(0) };
  addBuild(server.builds, { ...project, state: "failed", finishedAt: at(1) });
  addBuild(server.builds, {
    ...project,
    state: "succeeded",
    finishedAt: at(12),
    steps: [{ ...step, number: "", id: "sha256:2", name: "[3/5] RUN later", state: "waiting" }, step],
    criticalPath: ["sha256:1"],
    failure: {
      stepId: "sha256:1",
      comparedBuilds: 41,
      failedBuilds: 3,
      lastFailedBuildId: "bld_0000000000",
    },
    savedMs: 61_000n,
  });
  addBuild(server.builds, { ...project, state: "running" });
  expect((await millrace(["builds", "list", "--project", "web"])).stdout).toBe(
    [
      "ID              STATE      CACHED  STARTED           TOOK",
      "bld_0000000002  running    9/11    2026-11-21 10:02  -",
      "bld_0000000001  succeeded  9/11    2026-11-21 10:02  12s",
      "bld_0000000000  failed     9/11    2026-11-21 10:02  1s",
      "",
    ].join("\n"),
  );
  const json = await millrace([
    "builds",
    "list",
    "--state",
    "failed",
    "--state",
    "running",
    "--output",
    "json",
  ]);
  expect((JSON.parse(json.stdout) as { id: string }[]).map(({ id }) => id)).toEqual([
    "bld_0000000002",
    "bld_0000000000",
  ]);
  expect(
    (await millrace(["builds", "list", "--limit", "1", "--output", "csv"])).stdout.split("\n"),
  ).toHaveLength(3);
  const { stdout } = await millrace(["builds", "show", "bld_0000000001"]);
  for (const text of [
    "9/11, which saved 1m 1s",
    "#8: requirements.txt differs",
    "the same step in 3 of the 41 previous builds, last in bld_0000000000\n",
    "#8 *",
    "5.2s",
    "[2/5] RUN make\n",
  ])
    expect(stdout).toContain(text);
  expect(stdout.indexOf("RUN make")).toBeLessThan(stdout.indexOf("RUN later"));
  expect(await millrace(["builds", "show", "bld_none"])).toMatchObject({ code: 4 });
  server.builds.lines = ["one", "two\u001b[2J", "three"];
  server.builds.breakAfter = 2;
  expect(await millrace(["builds", "logs", "bld_0000000001"])).toMatchObject({
    code: 0,
    stdout: "#5 one\n#5 two\n#5 three\n",
  });
  expect(server.builds.calls).toEqual(["logs bld_0000000001 after 0", "logs bld_0000000001 after 2"]);
  expect(await millrace(["builds", "logs", "bld_none"])).toMatchObject({ code: 4 });
  expect((await millrace(["builds", "cancel", "bld_0000000002"])).stdout).toBe("bld_0000000002 canceled\n");
  expect((await millrace(["builds", "cancel", "bld_0000000002"])).code).toBe(1);
});

test("8. what is missing", async () => {
  const without = { MILLRACE_BUILDX: "", PATH: "/nowhere", DOCKER_CONFIG: join(place.path, "none") };
  for (const [args, more, code] of [
    [["build"], {}, 2],
    [["build", "."], { MILLRACE_PROJECT: "" }, 2],
    [["build", "."], { MILLRACE_TOKEN: "" }, 3],
    [["build", "."], { MILLRACE_BUILDX: "/nowhere/buildx" }, 1],
    [["build", "--save-tag", "//", "."], {}, 2],
    [["build", "--save-tag", "bld_0000000001", "."], {}, 2],
    [["build", "--build-platform", "windows", "."], {}, 2],
    [["build", "--gpus", "all", "."], {}, 2],
    [["build", "--project", "other", "."], {}, 4],
  ] as const)
    expect([args, (await millrace(args, more)).code]).toEqual([args, code]);
  // Where all users share Docker's plugins, buildx is found without a PATH.
  if (!existsSync("/usr/libexec/docker/cli-plugins/docker-buildx"))
    expect((await millrace(["build", "."], without)).stderr).toContain("there is no buildx on this machine");
  expect(server.builds.created.filter(({ projectId }) => projectId === "")).toEqual([]);
  nothingLeft();
});
