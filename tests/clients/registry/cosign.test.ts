/**
 * cosign, with a key of its own and no transparency log:
 *
 * 1. A signature that refers to its image is made and verified, and no tag is made for it.
 * 2. A signature under a tag, as older versions make it, is made and verified.
 * 3. An image without a signature, and another key, are refused; so is a user who may not read the image.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { TOOL_MS, useRegistryStage } from "./registry-stage.ts";
import { findCosign, findCrane } from "./tools.ts";

const [cosign, crane] = [await findCosign(), await findCrane()];

const SIGN = ["--tlog-upload=false", "--use-signing-config=false", "--allow-http-registry", "-y"];
const VERIFY = ["--insecure-ignore-tlog", "--allow-http-registry"];

describe.skipIf(!cosign || !crane)("cosign", { timeout: TOOL_MS }, () => {
  const stage = useRegistryStage();
  let own = "";
  const run = (config: string, command: readonly string[]) =>
    stage().run(command, { env: { DOCKER_CONFIG: config, COSIGN_PASSWORD: "", COSIGN_EXPERIMENTAL: "1" } });
  const succeed = async (...command: readonly string[]) => {
    const { code, output } = await run(own, command);
    expect(code, output).toBe(0);
    return output;
  };
  const image = (project = "web") => `${stage().host}/acme/${project}@${stage().digest}`;
  const verify = (config: string, name: string, ...more: string[]) =>
    run(config, [cosign ?? "", "verify", "--key", "cosign.pub", ...VERIFY, ...more, name]);
  beforeAll(async () => {
    own = stage().makeConfig(stage().tokens.organization);
    for (const project of ["web", "api"])
      await succeed(crane ?? "", "push", stage().layout, `${stage().host}/acme/${project}:v1`);
    await succeed(cosign ?? "", "generate-key-pair");
    await succeed(cosign ?? "", "generate-key-pair", "--output-key-prefix", "other");
  }, TOOL_MS);
  const listTags = () => succeed(crane ?? "", "ls", `${stage().host}/acme/web`);

  test("3. without a signature", async () => {
    const { code, output } = await verify(own, image("api"));
    expect(code, output).not.toBe(0);
    expect(output).toContain("no signatures found");
  });

  test("1. as a referrer", async () => {
    const mode = "--registry-referrers-mode=oci-1-1";
    await succeed(cosign ?? "", "sign", "--key", "cosign.key", ...SIGN, mode, image());
    const { code, output } = await verify(own, image(), "--experimental-oci11");
    expect(code, output).toBe(0);
    expect(output).toContain(`"docker-manifest-digest":"${stage().digest}"`);
    expect(await listTags()).toBe("v1\n");
  });

  test("2. under a tag", async () => {
    const old = ["--new-bundle-format=false", "--registry-referrers-mode=legacy"];
    await succeed(cosign ?? "", "sign", "--key", "cosign.key", ...SIGN, ...old, image());
    const { code, output } = await verify(own, image(), "--new-bundle-format=false");
    expect(code, output).toBe(0);
    expect(await listTags()).toContain(`${stage().digest.replace(":", "-")}.sig\n`);
  });

  test("3. with another key, and another organization's token", async () => {
    const other = await run(own, [cosign ?? "", "verify", "--key", "other.pub", ...VERIFY, image()]);
    expect(other.code, other.output).not.toBe(0);
    const stranger = await verify(stage().makeConfig(stage().tokens.stranger), image());
    expect(stranger.code, stranger.output).not.toBe(0);
  });
});
