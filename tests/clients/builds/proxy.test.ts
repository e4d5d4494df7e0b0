/**
 * Stock clients through the port of builders, to a real buildkitd:
 *
 * 1. buildctl as the API's tutorial calls it: its result is the same, and arrives whole.
 * 2. buildx: build with provenance in the metadata file, `--call=check`, secrets, an SSH agent.
 * 3. Bake with several targets, one of which uses another.
 * 4. An image and its cache are pushed with the client's own login.
 * 5. Steps that ask for more rights than their build has are refused: by the proxy when the client says so, by buildkitd when only
 *    the Dockerfile does.
 * 6. Ctrl-C ends the step; a build that is cut ends with its reason.
 * 7. 64 MB of context arrive unchanged, and are counted.
 * 8. Calls that concern other builds, or the builder itself, are refused.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comesTrue } from "../../attack/processes.ts";
import { TOOL_MS, useRegistryStage } from "../registry/registry-stage.ts";
import { findBuildKit, findBuildx } from "../registry/tools.ts";
import { BUILD, openProxyStage, type ProxyStage } from "./proxy-stage.ts";

const [buildkit, buildx] = [await findBuildKit(), await findBuildx()];
const SHELL = 'FROM scratch AS base\nCOPY busybox /bin/busybox\nSHELL ["/bin/busybox", "sh", "-c"]\n';
const NOTICE_MS = 20_000;

describe.skipIf(!buildkit)("the port of builders", { timeout: TOOL_MS }, () => {
  const registry = useRegistryStage();
  let stage: ProxyStage;
  beforeAll(async () => {
    stage = await openProxyStage({ buildkit: buildkit ?? "", buildx }, registry().host);
    const config = registry().makeConfig(registry().tokens.organization);
    copyFileSync(join(config, "config.json"), join(stage.dockerConfig, "config.json"));
    if (buildx)
      await client(
        buildx,
        "create",
        "--name=mr",
        "--driver=remote",
        `--driver-opt=${stage.driverOptions}`,
        stage.address,
      );
  }, TOOL_MS);
  afterAll(() => stage?.close(), TOOL_MS);

  const start = (program: string, ...args: readonly string[]): ChildProcess =>
    spawn(program, args, {
      cwd: stage.context,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: stage.folder,
        DOCKER_CONFIG: stage.dockerConfig,
        BUILDX_CONFIG: join(stage.folder, "buildx"),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
  async function finish(child: ChildProcess) {
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, output };
  }
  const client = (program: string, ...args: readonly string[]) => finish(start(program, ...args));
  const buildctl = (...args: readonly string[]) =>
    client(join(buildkit ?? "", "buildctl"), ...stage.flags, ...args);
  const BUILD_ARGS = [
    "build",
    "--progress=plain",
    "--frontend=dockerfile.v0",
    "--local=context=.",
    "--local=dockerfile=.",
  ];
  const write = (dockerfile: string) => writeFileSync(join(stage.context, "Dockerfile"), dockerfile);
  const result = () => join(stage.folder, "result.tar");
  const fileOf = (path: string) => execFileSync("tar", ["xOf", result(), path], { maxBuffer: 2 ** 28 });

  test("1. buildctl", async () => {
    write(`${SHELL}RUN busybox echo made > /made\n`);
    const { code, output } = await buildctl(...BUILD_ARGS, `--output=type=tar,dest=${result()}`);
    expect(code, output).toBe(0);
    expect(fileOf("made").toString()).toBe("made\n");
    expect(stage.solves.at(-1)?.exporters).toStrictEqual([{ type: "tar", attributes: {} }]);
    expect(await comesTrue(() => stage.connections() === 0, NOTICE_MS)).toBe(true);
  });

  const build = (...args: readonly string[]) =>
    client(buildx ?? "", "build", "--builder=mr", "--progress=plain", ...args, ".");

  test.skipIf(!buildx)("2. buildx", async () => {
    write(
      [
        SHELL,
        "RUN --mount=type=secret,id=word busybox sha256sum /run/secrets/word > /sum\n",
        'RUN --mount=type=ssh busybox test -S "$SSH_AUTH_SOCK" && busybox echo agent > /agent\n',
      ].join(""),
    );
    const word = randomBytes(32).toString("hex");
    writeFileSync(join(stage.folder, "word"), word);
    const agent = createServer().listen(join(stage.folder, "agent.sock"));
    await once(agent, "listening");
    const metadata = join(stage.folder, "metadata.json");
    const { code, output } = await build(
      `--secret=id=word,src=${join(stage.folder, "word")}`,
      `--ssh=default=${join(stage.folder, "agent.sock")}`,
      `--metadata-file=${metadata}`,
      `--output=type=tar,dest=${result()}`,
    );
    agent.close();
    expect(code, output).toBe(0);
    expect(fileOf("sum").toString()).toContain(createHash("sha256").update(word).digest("hex"));
    expect(fileOf("agent").toString()).toBe("agent\n");
    expect(readFileSync(metadata, "utf8")).toContain("https://mobyproject.org/buildkit@v1");
    const check = await build("--call=check");
    expect(check.output).toContain("Check complete");
    expect(stage.solves.at(-1)?.isInternal).toBe(true);
  });

  test.skipIf(!buildx)("3. Bake", async () => {
    write(`${SHELL}RUN busybox echo $RANDOM > /from-base\n`);
    writeFileSync(join(stage.context, "web.Dockerfile"), "FROM one\nCOPY Dockerfile /two\n");
    const [target, output] = ["target", "output"];
    const bake = {
      group: { default: { targets: ["one", "two", "three"] } },
      [target]: {
        one: { [output]: ["type=cacheonly"] },
        two: {
          dockerfile: "web.Dockerfile",
          contexts: { one: "target:one" },
          output: [`type=tar,dest=${result()}`],
        },
        three: { [output]: ["type=cacheonly"], args: { A: "1" } },
      },
    };
    writeFileSync(join(stage.context, "bake.json"), JSON.stringify(bake));
    const done = await client(
      buildx ?? "",
      "bake",
      "--builder=mr",
      "--progress=plain",
      "--allow=fs=*",
      "-f",
      "bake.json",
    );
    expect(done.code, done.output).toBe(0);
    expect(fileOf("two").toString()).toContain("from-base");
    expect(fileOf("from-base").length).toBeGreaterThan(0);
  });

  test("4. push", async () => {
    write("FROM scratch\nCOPY Dockerfile /\n");
    const [image, cache] = [`${registry().host}/acme/web:1`, `${registry().host}/acme/web:cache`];
    const pushed = await buildctl(
      ...BUILD_ARGS,
      `--output=type=image,name=${image},push=true`,
      `--export-cache=type=registry,ref=${cache},mode=max`,
    );
    expect(pushed.code, pushed.output).toBe(0);
    write(`FROM ${image}\nCOPY Dockerfile /again\n`);
    const again = await buildctl(
      ...BUILD_ARGS,
      `--import-cache=type=registry,ref=${cache}`,
      `--output=type=tar,dest=${result()}`,
    );
    expect(again.code, again.output).toBe(0);
    expect(fileOf("again").toString()).toContain(image);
  });

  test("5. more rights", async () => {
    for (const [flag, name] of [
      ["--security=insecure", "security.insecure"],
      ["--network=host", "network.host"],
    ]) {
      write(`${SHELL}RUN ${flag} busybox true\n`);
      const asked = await buildctl(...BUILD_ARGS, `--allow=${name}`);
      expect(asked.output).toContain(
        `granting entitlement ${name} is not allowed by build daemon configuration`,
      );
      const silent = await buildctl(...BUILD_ARGS);
      expect(silent.code).not.toBe(0);
      expect(silent.output).toContain(`${name} is not allowed`);
    }
    write(`${SHELL}RUN busybox true\n`);
    expect((await buildctl(...BUILD_ARGS, "--opt=cgroup-parent=/")).output).toContain(
      "builders choose the cgroup",
    );
    expect((await buildctl(...BUILD_ARGS, "--import-cache=type=s3,bucket=b,region=r")).output).toContain(
      "cache s3 needs access_key_id",
    );
  });

  const isRunning = (mark: string) =>
    execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
      .split("\n")
      .some((line) => line.includes(`sleep ${mark}`) && !line.includes("ps -eo"));

  test("6. Ctrl-C, and a build that is cut", async () => {
    for (const [mark, end] of [
      ["7301", "signal"],
      ["7302", "cut"],
    ] as const) {
      write(`${SHELL}RUN busybox sleep ${mark}\n`);
      const child = start(join(buildkit ?? "", "buildctl"), ...stage.flags, ...BUILD_ARGS);
      const done = finish(child);
      expect(await comesTrue(() => isRunning(mark), NOTICE_MS)).toBe(true);
      if (end === "signal") child.kill("SIGINT");
      else stage.proxy.cut(BUILD, "jane canceled the build");
      const { code, output } = await done;
      expect(code).not.toBe(0);
      if (end === "cut") expect(output).toContain("jane canceled the build");
      expect(await comesTrue(() => !isRunning(mark), NOTICE_MS)).toBe(true);
      expect(await comesTrue(() => stage.connections() === 0, NOTICE_MS)).toBe(true);
    }
  });

  test("7. 64 MB", async () => {
    const bytes = randomBytes(64 * 1024 * 1024);
    writeFileSync(join(stage.context, "large"), bytes);
    write("FROM scratch\nCOPY large /\n");
    const before = stage.received();
    const { code, output } = await buildctl(...BUILD_ARGS, `--output=type=tar,dest=${result()}`);
    expect(code, output).toBe(0);
    expect(fileOf("large").equals(bytes)).toBe(true);
    expect(stage.received() - before).toBeGreaterThan(bytes.length);
  });

  test("8. what is not a build's", async () => {
    for (const args of [["du"], ["prune", "--all"], ["debug", "histories"]])
      expect((await buildctl(...args)).code, args.join(" ")).not.toBe(0);
    const { code, output } = await buildctl("debug", "workers");
    expect(code, output).toBe(0);
  });
});
