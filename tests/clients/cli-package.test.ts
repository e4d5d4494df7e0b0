/**
 * The package as a server provides it, installed into an empty folder without a registry.
 * 1. It has only what is needed, and stays small. The same sources give the same bytes.
 * 2. npm fetches nothing for it. Dependencies of the client are named in the versions that the repository tests with.
 * 3. The installed command runs with Node.js 20 and with the version of the tests.
 * 4. `--help` explains every command of the facts, on two terminal widths.
 * 5. `millrace/client` runs in Node.js over both protocols, and its types are complete without the repository.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packCli } from "../../cli/pack.ts";
import { readFacts } from "../../cli/read-facts.ts";
import { displayWidth } from "../../cli/src/text.ts";
import { collect, makePlace, runCli, runOnTerminal } from "./cli-process.ts";
import { type CliServer, startCliServer, USER_TOKEN } from "./cli-server.ts";

/**
 * `build`, `bake` and their own dependencies are 17,000 of it, a tunnel to a builder as much; undici, which only users
 * behind a proxy load, is half.
 */
const MOST_PACKED_BYTES = 365_000;
/** As an archive, in which each of its some hundred files is filled up to 512 bytes. */
const MOST_UNPACKED_BYTES = 1_400_000;
const root = join(import.meta.dirname, "..", "..");
const place = makePlace();
const installed = join(place.path, "empty");
const home = place.home();
let server: CliServer;
let main: string;

interface Manifest {
  version: string;
  dependencies: { [name: string]: string };
  devDependencies: { [name: string]: string };
  peerDependencies: { [name: string]: string };
  peerDependenciesMeta: { [name: string]: { optional: boolean } };
}
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
const { peerDependencies } = readManifest(join(root, "cli"));

function npm(args: string[], cwd: string): string {
  const options = [
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
  ];
  return execFileSync("npm", [...args, ...options], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, HOME: home },
  });
}

beforeAll(async () => {
  server = await startCliServer();
  for (const name of ["one", "two"]) await packCli(join(place.path, name), server.origin);
  const archive = join(place.path, "one/cli/millrace.tgz");
  mkdirSync(installed);
  writeFileSync(join(installed, "package.json"), '{ "private": true, "type": "module" }');
  npm(["install", archive], installed);
  const peers = Object.keys(peerDependencies).map((name) => join(root, "node_modules", name));
  // A folder would be linked, and find packages around the repository.
  npm(["install", "--install-links", ...peers], installed);
  main = join(installed, "node_modules", ".bin", "millrace");
}, 120_000);
afterAll(async () => {
  await server.close();
  place.remove();
});

test("1. files and sizes", () => {
  const [one, two] = ["one", "two"].map((name) =>
    globSync("**/*.{tgz,sha256,sh,ps1}", { cwd: join(place.path, name) })
      .toSorted()
      .map((file) => [file, readFileSync(join(place.path, name, file), "latin1")]),
  );
  expect(one).toEqual(two);
  const archive = join(place.path, "one/cli/millrace.tgz");
  const files = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((name) => name.replace("package/", ""));
  const kinds = files.map((path) =>
    path.replace(/^dist\/chunks\/[\w.-]+-[\w-]{8}\.js$/, "dist/chunks/*").replace(/_pb\.d\.ts$/, "*.d.ts"),
  );
  expect([...new Set(kinds)].filter((path) => !path.startsWith("dist/types/gen/")).toSorted()).toEqual([
    "LICENSE",
    "README.md",
    "dist/chunks/*",
    "dist/client.js",
    "dist/licenses.txt",
    "dist/main.js",
    "dist/types/client.d.ts",
    "package.json",
  ]);
  expect(files.filter((path) => path.startsWith("dist/types/gen/"))).toHaveLength(13);
  expect(statSync(archive).size).toBeLessThan(MOST_PACKED_BYTES);
  expect(execFileSync("gzip", ["-dc", archive], { maxBuffer: 1e8 }).length).toBeLessThan(MOST_UNPACKED_BYTES);
  expect(statSync(join(installed, "node_modules", "millrace", "dist", "main.js")).size).toBeLessThan(1000);
});

test("2. dependencies", () => {
  const { dependencies: production, devDependencies } = readManifest(root);
  const tested: Manifest["dependencies"] = { ...devDependencies, ...production };
  const manifest = readManifest(join(installed, "node_modules", "millrace"));
  expect(Object.keys(manifest)).not.toContain("dependencies");
  expect(Object.keys(manifest)).not.toContain("optionalDependencies");
  expect(Object.keys(peerDependencies).length).toBeLessThanOrEqual(3);
  for (const [name, version] of Object.entries(peerDependencies)) {
    expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
    expect([name, `^${tested[name]}`]).toEqual([name, version]);
  }
  const text = globSync("node_modules/millrace/dist/**/*.js", { cwd: installed })
    .map((file) => readFileSync(join(installed, file), "utf8"))
    .join("\n");
  // Neither a path nor a name of the machine that built it.
  expect(text).not.toContain(root);
  // Browsers do not have such modules.
  const client = readFileSync(join(installed, "node_modules", "millrace", "dist", "client.js"), "utf8");
  expect(
    [...client.matchAll(/^(?:import|export)\b[^"]*"([^"]+)";$/gm)]
      .map(([, name]) => name)
      .filter((name) => !name!.startsWith("@")),
  ).toEqual([]);
});

const versions = ["/usr/bin/node", "/opt/node20/bin/node", process.execPath].filter(
  (path) => spawnSync(path, ["--version"]).status === 0,
);

test.each(versions)("3. with %s", async (node) => {
  const env = { HOME: home, MILLRACE_URL: server.origin, MILLRACE_TOKEN: USER_TOKEN };
  const millrace = (...args: string[]) => runCli(main, args, { env, node, cwd: home });
  expect(await millrace("--version")).toMatchObject({ code: 0, stdout: "millrace 0.1.0\n", stderr: "" });
  expect(await millrace("whoami")).toMatchObject({ code: 0, stderr: "" });
  expect(await millrace("projects", "list", "--output", "json")).toMatchObject({ code: 0, stdout: "[]\n" });
  expect(await millrace("docs", "search", "layer")).toMatchObject({ code: 0, stderr: "" });
  expect(await millrace("login")).toMatchObject({ code: 0, stdout: "" });
  const proxied = await runCli(main, ["whoami"], {
    env: { ...env, HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: "127.0.0.1" },
    node,
  });
  expect(proxied).toMatchObject({ code: 0, stderr: "" });
});

test("4. help", async () => {
  const { commands, globalFlags } = readFacts();
  const all = await runCli(main, ["--help"]);
  for (const { name, summary } of commands) {
    expect(all.stdout).toContain(`  ${name} `);
    expect(all.stdout.replace(/\s+/g, " ")).toContain(summary);
  }
  for (const command of ["build", "tokens create", "docs search", "login"]) {
    const { flags, examples, synopsis } = commands.find(({ name }) => name === command)!;
    const { stdout, code } = await runCli(main, [...command.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(stdout.startsWith(`${synopsis}\n`)).toBe(true);
    for (const { name } of [...flags, ...globalFlags]) expect(stdout).toContain(name);
    for (const { run } of examples) expect(stdout).toContain(run);
  }
  const narrow = await runOnTerminal([process.execPath, main, "--help"], {
    columns: 40,
    env: { NO_COLOR: "1" },
  });
  for (const line of narrow.stdout.split("\r\n").filter((text) => text.startsWith("      ")))
    expect(displayWidth(line), line).toBeLessThanOrEqual(50);
  expect((await runCli(main, ["projects", "--help"])).stdout).toContain("projects create");
  expect((await runCli(main, ["projects", "list", "-v"])).stdout).toBe("millrace 0.1.0\n");
});

test("5. the client", async () => {
  writeFileSync(
    join(installed, "program.ts"),
    `import { createClient, type Project, ProjectSchema } from "millrace/client";
import { create } from "@bufbuild/protobuf";
for (const protocol of ["connect", "grpc-web"] as const) {
  const millrace = createClient(process.env["MILLRACE_URL"]!, process.env["MILLRACE_TOKEN"], { protocol, organization: "acme" });
  const { user } = await millrace.account.whoAmI({});
  const { projects } = await millrace.projects.list({ pageSize: 100 });
  const known: Project[] = projects;
  console.log(protocol, user, known.length, create(ProjectSchema, { name: "web" }).name);
}
`,
  );
  const compile = (...options: string[]) =>
    spawnSync(
      process.execPath,
      [
        join(root, "node_modules", "typescript", "bin", "tsc"),
        "--noEmit",
        "--strict",
        "--target",
        "es2022",
        ...options,
        "program.ts",
      ],
      { cwd: installed, encoding: "utf8" },
    ).stdout;
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
  expect(compile("--module", "nodenext", ...types)).toBe("");
  expect(compile("--module", "esnext", "--moduleResolution", "bundler", ...types)).toBe("");
  const { stdout, stderr } = await collect(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "program.ts"],
    {
      cwd: installed,
      env: { MILLRACE_URL: `${server.origin}/`, MILLRACE_TOKEN: USER_TOKEN },
    },
  );
  expect(stderr + stdout).toBe("connect ada 0 web\ngrpc-web ada 0 web\n");
}, 90_000);
