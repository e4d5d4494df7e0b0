/**
 * crane:
 *
 * 1. After `crane auth login`, an image is pushed, tagged, listed, copied to another project without sending its layers
 *    again, pulled unchanged, and deleted.
 * 2. A wrong token, no token, another organization's, a missing project and a missing tag are reported as the pages
 *    say, and change nothing.
 * 3. Connections that break in the middle cost the push or the pull, and never give or leave a wrong image; the next one works.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { startCuttingProxy } from "../cache/cutting-proxy.ts";
import { TOOL_MS, useRegistryStage } from "./registry-stage.ts";
import { findCrane } from "./tools.ts";

const crane = await findCrane();

describe.skipIf(!crane)("crane", { timeout: TOOL_MS }, () => {
  const stage = useRegistryStage();
  const run = (config: string, ...args: string[]) =>
    stage().run([crane ?? "", ...args], { env: { DOCKER_CONFIG: config } });
  const image = (name = "acme/web:v1") => `${stage().host}/${name}`;
  let own = "";
  beforeAll(async () => {
    own = stage().makeConfig();
    const { host, tokens } = stage();
    const { code, output } = await run(
      own,
      "auth",
      "login",
      host,
      "-u",
      "x-token",
      "-p",
      tokens.organization,
    );
    expect(code, output).toBe(0);
    expect(output).toContain("logged in via");
  });

  test("1. push, list, copy, pull, delete", async () => {
    const { layout, digest, folder, host } = stage();
    const pushed = await run(own, "push", layout, image());
    expect(pushed.code, pushed.output).toBe(0);
    expect(pushed.output).toContain(`${host}/acme/web@${digest}`);
    expect((await run(own, "digest", image())).output.trim()).toBe(digest);
    await run(own, "tag", image(), "v2");
    expect((await run(own, "ls", image("acme/web"))).output).toBe("v1\nv2\n");
    const copied = await run(own, "copy", image(), image("acme/api:v1"));
    expect(copied.output.match(/mounted blob/g)).toHaveLength(2);
    const into = join(folder, "pulled");
    expect((await run(own, "pull", "--format=oci", image("acme/api:v1"), into)).code).toBe(0);
    const file = `blobs/sha256/${digest.slice("sha256:".length)}`;
    expect(readFileSync(join(into, file))).toEqual(readFileSync(join(layout, file)));
    expect((await run(own, "delete", image("acme/web:v2"))).code).toBe(0);
    expect((await run(own, "ls", image("acme/web"))).output).toBe("v1\n");
  });

  test("1. a project's token is enough for its project, and not for another", async () => {
    const { makeConfig, tokens, layout } = stage();
    const project = makeConfig(tokens.project);
    expect((await run(project, "push", layout, image("acme/web:by-project"))).code).toBe(0);
    const refused = await run(project, "pull", image("acme/api:v1"), join(stage().folder, "x.tar"));
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("DENIED: ");
  });

  test("2. what is refused says why", async () => {
    const { makeConfig, tokens, layout } = stage();
    const push = async (config: string, name?: string) => {
      const { code, output } = await run(config, "push", layout, image(name));
      expect(code, output).toBe(1);
      return output;
    };
    expect(await push(makeConfig(tokens.wrong))).toContain("UNAUTHORIZED: token is mistyped or cut off");
    expect(await push(makeConfig())).toContain("UNAUTHORIZED: no token");
    expect(await push(makeConfig(tokens.stranger))).toContain(
      "NAME_UNKNOWN: organization acme was not found",
    );
    expect(await push(makeConfig(tokens.readOnly), "acme/web:other")).toContain(
      "DENIED: a read-only token may not push, tag or delete images; use a token that is not read-only",
    );
    expect(await push(own, "acme/nowhere:v1")).toContain(
      "NAME_UNKNOWN: project acme/nowhere was not found; create it first, and check the name: organization, then project",
    );
    const missing = await run(own, "pull", image("acme/web:nope"), join(stage().folder, "x.tar"));
    expect(missing.output).toContain("MANIFEST_UNKNOWN: acme/web:nope was not found");
    expect((await run(own, "digest", image())).output.trim()).toBe(stage().digest);
  });

  test("3. connections that break", async () => {
    const { folder, tokens } = stage();
    const proxy = await startCuttingProxy(Number(new URL(stage().registry.url).port));
    const through = `localhost:${proxy.port}/acme/web:large`;
    const config = join(folder, "config-of-the-proxy");
    mkdirSync(config);
    const auth = Buffer.from(`x-token:${tokens.organization}`).toString("base64");
    const auths = { [`localhost:${proxy.port}`]: { auth } };
    writeFileSync(join(config, "config.json"), JSON.stringify({ auths }));
    const layer = randomBytes(3_000_000);
    writeFileSync(join(folder, "layer.tar"), layer);
    const push = () => run(config, "append", "--new_tag", through, "--new_layer", join(folder, "layer.tar"));
    const pull = (into: string) => run(config, "pull", "--format=oci", through, join(folder, into));

    // Passes an answer or two, and then cuts the next one.
    proxy.cutAfter = 1_000;
    const broken = await push();
    expect([broken.code, proxy.cuts > 0]).toEqual([1, true]);
    expect((await run(own, "ls", image("acme/web"))).output).not.toContain("large");
    proxy.cutAfter = null;
    const pushed = await push();
    expect(pushed.code, pushed.output).toBe(0);

    proxy.cutAfter = 1_000_000;
    proxy.cuts = 0;
    const half = await pull("half");
    expect([half.code, proxy.cuts > 0]).toEqual([1, true]);
    proxy.cutAfter = null;
    const whole = await pull("whole");
    expect(whole.code, whole.output).toBe(0);
    const blobs = readdirSync(join(folder, "whole/blobs/sha256")).map((name) =>
      readFileSync(join(folder, "whole/blobs/sha256", name)),
    );
    // crane compresses it.
    const unpacked = blobs.map((blob) => (blob[0] === 0x1f && blob[1] === 0x8b ? gunzipSync(blob) : blob));
    expect(unpacked.some((blob) => blob.equals(layer))).toBe(true);
    await proxy.goAway();
  });
});
