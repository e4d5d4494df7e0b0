/**
 * BuildKit, with the daemon that Millrace's builders are made of:
 *
 * 1. A build takes its base image from the registry, and pushes its result and its cache there; the next one takes the cache.
 * 2. A wrong token, another organization's and a missing project fail the build, which says why.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comesTrue } from "../../attack/processes.ts";
import { TOOL_MS, useRegistryStage } from "./registry-stage.ts";
import { findBuildKit, findCrane } from "./tools.ts";

const [folder, crane] = [await findBuildKit(), await findCrane()];
const START_MS = 60_000;

describe.skipIf(!folder || !crane)("BuildKit", { timeout: TOOL_MS }, () => {
  const stage = useRegistryStage();
  let daemon: ChildProcess | undefined;
  let own = "";
  const socket = () => join(stage().folder, "buildkitd.sock");
  const image = (name = "acme/web:v1") => `${stage().host}/${name}`;
  beforeAll(async () => {
    const { host, folder: place, layout, tokens } = stage();
    own = stage().makeConfig(tokens.organization);
    const pushed = await stage().run([crane ?? "", "push", layout, image()], { env: { DOCKER_CONFIG: own } });
    expect(pushed.code, pushed.output).toBe(0);
    writeFileSync(join(place, "Dockerfile"), `FROM ${image()}\nCOPY more.txt /\n`);
    writeFileSync(join(place, "more.txt"), "more");
    writeFileSync(join(place, "buildkitd.toml"), `[registry."${host}"]\n  http = true\n`);
    const args = [
      ["--addr", `unix://${socket()}`],
      ["--root", join(place, "buildkit")],
      ["--config", join(place, "buildkitd.toml")],
      ["--otel-socket-path", join(place, "otel.sock")],
      ["--oci-worker-snapshotter", "native"],
      ["--containerd-worker=false"],
    ].flat();
    daemon = spawn(join(folder ?? "", "buildkitd"), args, {
      stdio: "ignore",
      env: { ...process.env, TMPDIR: place },
    });
    expect(await comesTrue(() => existsSync(socket()), START_MS)).toBe(true);
  }, TOOL_MS);
  afterAll(async () => {
    if (!daemon || daemon.exitCode !== null) return;
    const ended = once(daemon, "exit");
    daemon.kill("SIGTERM");
    await ended;
  });

  const build = (config: string, to: string, ...more: string[]) =>
    stage().run(
      [
        [join(folder ?? "", "buildctl"), "--addr", `unix://${socket()}`, "build", "--progress=plain"],
        ["--frontend", "dockerfile.v0", "--local", "context=.", "--local", "dockerfile=."],
        ["--output", `type=image,name=${to},push=true`],
        more,
      ].flat(),
      { env: { DOCKER_CONFIG: config } },
    );

  test("1. pull, push and cache", async () => {
    const cache = image("acme/api:cache");
    const first = await build(
      own,
      image("acme/web:built"),
      "--export-cache",
      `type=registry,ref=${cache},mode=max`,
    );
    expect(first.code, first.output).toBe(0);
    const listed = await stage().run([crane ?? "", "manifest", image("acme/web:built")], {
      env: { DOCKER_CONFIG: own },
    });
    expect((JSON.parse(listed.output) as { layers: unknown[] }).layers).toHaveLength(2);
    const prune = [join(folder ?? "", "buildctl"), "--addr", `unix://${socket()}`, "prune", "--all"];
    expect((await stage().run(prune)).code).toBe(0);
    const again = await build(own, image("acme/web:again"), "--import-cache", `type=registry,ref=${cache}`);
    expect(again.code, again.output).toBe(0);
    expect(again.output).toContain("CACHED");
  });

  test("2. what is refused says why", async () => {
    const { makeConfig, tokens } = stage();
    const fail = async (config: string, to = image("acme/web:other")) => {
      const { code, output } = await build(config, to);
      expect(code, output).not.toBe(0);
      return output;
    };
    expect(await fail(makeConfig(tokens.wrong))).toContain("unauthorized: token is mistyped or cut off");
    expect(await fail(makeConfig(tokens.stranger))).toContain("acme/web:v1: not found");
    expect(await fail(own, image("acme/nowhere:v1"))).toContain(
      "project acme/nowhere was not found; create it first, and check the name: organization, then project",
    );
  });
});
