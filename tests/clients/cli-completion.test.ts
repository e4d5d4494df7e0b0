/**
 * Completion with the Tab key, in the shells themselves.
 * 1. bash and zsh complete commands, flags and values in a line that then runs, on a pseudo-terminal; fish lists them.
 * 2. Projects come from the server; without a server or a login, nothing is offered and nothing printed.
 * 3. `--flag=` is completed, also in bash, which cuts words there.
 * 4. PowerShell's script is the same four steps; Debian has no PowerShell, so only its text is compared.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildCli, collect, makePlace, runCli, runOnTerminal } from "./cli-process.ts";
import { type CliServer, startCliServer, USER_TOKEN } from "./cli-server.ts";

const place = makePlace();
let main: string;
let server: CliServer;
let env: { [name: string]: string };
const home = place.home();

beforeAll(async () => {
  main = await buildCli(join(place.path, "package"));
  server = await startCliServer();
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(main, join(bin, "millrace"));
  server.projects.push({
    id: "prj_7q4hx2n9ds",
    name: "web",
    builderSize: 4,
    cacheSizeBytes: 1n,
    retentionDays: 14,
    trust: [],
  });
  env = {
    HOME: home,
    PATH: `${bin}:${process.env["PATH"]}`,
    MILLRACE_URL: server.origin,
    MILLRACE_TOKEN: USER_TOKEN,
  };
  for (const shell of ["bash", "zsh", "fish", "powershell"])
    writeFileSync(join(home, shell), (await runCli(main, ["completion", shell], { env })).stdout);
}, 120_000);
afterAll(async () => {
  await server.close();
  place.remove();
});

const has = (shell: string) => spawnSync("which", [shell]).status === 0;

const SHELLS: { [shell: string]: [command: string[], load: string] } = {
  bash: [["bash", "--norc", "-i"], "bind 'set enable-bracketed-paste off'; PS1='ready> '; source ~/bash\r"],
  zsh: [["zsh", "-f", "-i"], "PS1='ready> '; autoload -Uz compinit; compinit -D; source ~/zsh\r"],
};

test.each(Object.keys(SHELLS))("1. %s completes a line", async (shell) => {
  if (!has(shell)) return console.info(`no ${shell} here`);
  const [command, load] = SHELLS[shell]!;
  const { stdout } = await runOnTerminal(command, {
    env,
    cwd: home,
    answers: [
      ["", load],
      // The echo of this line has a quote after it.
      ["ready> ", "millrace projects lis\t--outp\tjs\t\r"],
      ["builder_size", "millrace tokens create --name x --type project --project prj\t\r"],
      [`mr_prj_${"c".repeat(38)}`, "exit\r"],
    ],
  });
  expect(stdout).toContain('"id":"prj_7q4hx2n9ds"');
  expect(server.tokens.at(-1)).toMatchObject({ type: "project", projectId: "prj_7q4hx2n9ds" });
});

test("1. fish lists what fits", async () => {
  if (!has("fish")) return console.info("no fish here");
  const complete = async (line: string) => {
    const { stdout } = await collect("fish", ["--no-config", "-c", `source ~/fish; complete -C "${line}"`], {
      env,
    });
    return stdout.split("\n").filter(Boolean);
  };
  expect(await complete("millrace projects ")).toContain("list\tList the organization's projects.");
  expect(await complete("millrace projects list --output ")).toEqual(["csv", "json", "table"]);
  expect(await complete("millrace projects list --output=j")).toEqual(["--output=json"]);
  expect(await complete("millrace projects delete ")).toEqual(["prj_7q4hx2n9ds\tweb"]);
  expect(await complete("millrace completion p")).toEqual(["powershell"]);
});

const offered = async (words: string[], more: { [name: string]: string } = {}) => {
  const { code, stdout, stderr } = await runCli(main, ["__complete", "zsh", "--", ...words], {
    env: { ...env, ...more },
  });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter(Boolean);
};

test("2. what the server has", async () => {
  expect(await offered(["projects", "update", ""])).toEqual(["prj_7q4hx2n9ds\tweb"]);
  expect(await offered(["--org", ""])).toEqual(["acme\torg_9f2kd71xqe", "acme-labs\torg_4t8bz0mw2s"]);
  expect(await offered(["orgs", "switch", "acme-"])).toEqual(["acme-labs\torg_4t8bz0mw2s"]);
  server.mirrors.set("ghcr.io", { username: "acme-robot", password: "" });
  expect(await offered(["mirrors", "logout", ""])).toEqual(["ghcr.io\tacme-robot"]);
  expect(await offered(["projects", "update", ""], { MILLRACE_URL: "http://127.0.0.1:1" })).toEqual([]);
  expect(await offered(["projects", "update", ""], { MILLRACE_TOKEN: "" })).toEqual([]);
  expect(await offered(["projects", "update", "prj_7q4hx2n9ds", "--untr"])).toEqual([
    "--untrust\tRemove a trust relationship.",
  ]);
  expect(await offered(["nothing", ""])).toEqual([]);
});

test("3. a value after =", () => {
  const script = `source ~/bash
    COMP_LINE='millrace projects list --output=j' COMP_POINT=33 COMP_WORDS=(millrace projects list --output = j) COMP_CWORD=5
    _millrace; printf '%s\\n' "\${COMPREPLY[@]}"
    COMP_LINE='millrace projects list --output=' COMP_POINT=32 COMP_WORDS=(millrace projects list --output =) COMP_CWORD=4
    _millrace; printf '%s\\n' "\${COMPREPLY[@]}"`;
  expect(execFileSync("bash", ["-c", script], { env, encoding: "utf8" })).toBe("json\ntable\njson\ncsv\n");
});

test("4. PowerShell", async () => {
  const { stdout } = await runCli(main, ["completion", "powershell"]);
  for (const [open, close] of ["{}", "()", "[]"])
    expect(stdout.split(open!).length, open).toBe(stdout.split(close!).length);
  expect(stdout).toContain("Register-ArgumentCompleter -Native -CommandName millrace");
  const { stdout: candidates } = await runCli(main, ["__complete", "powershell", "--", "projects", ".li"]);
  expect(candidates).toBe("list\tList the organization's projects.\n");
});
