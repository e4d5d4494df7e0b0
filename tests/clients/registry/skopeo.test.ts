/**
 * skopeo:
 *
 * 1. After `skopeo login`, an image is copied there and back, inspected and deleted.
 * 2. A wrong token, another organization's, a missing project and a missing tag are reported as the pages say.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { TOOL_MS, useRegistryStage } from "./registry-stage.ts";
import { findSkopeo } from "./tools.ts";

const skopeo = await findSkopeo();

describe.skipIf(!skopeo)("skopeo", { timeout: TOOL_MS }, () => {
  const stage = useRegistryStage();
  const run = (config: string, args: readonly string[], input?: string) =>
    stage().run([skopeo ?? "", ...args], {
      env: { REGISTRY_AUTH_FILE: join(config, "config.json") },
      ...(input !== undefined && { input }),
    });
  const logIn = (config: string, token: string) => {
    const args = ["login", "--tls-verify=false", stage().host, "-u", "x-token", "--password-stdin"];
    return run(config, args, token);
  };
  const image = (name = "acme/web:v1") => `docker://${stage().host}/${name}`;
  const push = (config: string, name?: string) =>
    run(config, [
      "copy",
      "--preserve-digests",
      "--dest-tls-verify=false",
      `oci:${stage().layout}:v1`,
      image(name),
    ]);
  const inspect = (config: string, name?: string) =>
    run(config, ["inspect", "--tls-verify=false", image(name)]);
  let own = "";
  beforeAll(async () => {
    own = stage().makeConfig();
    expect((await logIn(own, stage().tokens.organization)).output).toContain("Login Succeeded!");
  });

  test("1. copy there and back, inspect, delete", async () => {
    const { digest, folder } = stage();
    const pushed = await push(own);
    expect(pushed.code, pushed.output).toBe(0);
    expect(JSON.parse((await inspect(own)).output)).toMatchObject({ Digest: digest, RepoTags: ["v1"] });
    const back = await run(own, [
      "copy",
      "--preserve-digests",
      "--src-tls-verify=false",
      image(),
      `oci:${folder}/back:v1`,
    ]);
    expect(back.code, back.output).toBe(0);
    expect(existsSync(join(folder, "back/blobs/sha256", digest.slice("sha256:".length)))).toBe(true);
    expect((await push(own, "acme/web:v2")).code).toBe(0);
    // skopeo resolves the tag, and deletes the manifest with all its tags.
    expect((await run(own, ["delete", "--tls-verify=false", image()])).code).toBe(0);
    expect((await inspect(own, "acme/web:v2")).code).toBe(1);
  });

  test("2. what is refused says why", async () => {
    const { makeConfig, tokens } = stage();
    const wrong = await logIn(makeConfig(), tokens.wrong);
    expect(wrong.code).toBe(1);
    expect(wrong.output).toContain("invalid username/password");
    expect((await push(own, "acme/nowhere:v1")).output).toContain(
      "name unknown: project acme/nowhere was not found; create it first",
    );
    expect((await inspect(own, "acme/web:nope")).output).toContain(
      "manifest unknown: acme/web:nope was not found",
    );
    expect((await inspect(makeConfig(tokens.stranger))).output).toContain(
      "name unknown: organization acme was not found",
    );
    const refused = await push(makeConfig(tokens.readOnly), "acme/web:other");
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(
      "denied: a read-only token may not push, tag or delete images; use a token that is not read-only",
    );
  });
});
