/**
 * oras:
 *
 * 1. After `oras login`, files are pushed and pulled unchanged.
 * 2. Attachments of an image are discovered, all of them and by type, without a tag for it.
 * 3. A wrong token, a missing project and a missing tag are reported as the pages say.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { TOOL_MS, useRegistryStage } from "./registry-stage.ts";
import { findOras } from "./tools.ts";

const oras = await findOras();
const SBOM = '{"spdxVersion":"SPDX-2.3"}';
const SBOM_TYPE = "application/spdx+json";

interface Discovered {
  digest: string;
  referrers: { artifactType: string; annotations: Record<string, string> }[];
}

describe.skipIf(!oras)("oras", { timeout: TOOL_MS }, () => {
  const stage = useRegistryStage();
  let config = "";
  const run = (args: readonly string[], input?: string) =>
    stage().run([oras ?? "", ...args, "--plain-http", "--registry-config", config], {
      ...(input !== undefined && { input }),
    });
  const succeed = async (...args: readonly string[]) => {
    const { code, output } = await run(args);
    expect(code, output).toBe(0);
    return output;
  };
  const logIn = (token: string) => run(["login", stage().host, "-u", "x-token", "--password-stdin"], token);
  const image = (name = "acme/web:v1") => `${stage().host}/${name}`;
  beforeAll(async () => {
    config = join(stage().makeConfig(), "config.json");
    writeFileSync(join(stage().folder, "sbom.json"), SBOM);
    expect((await logIn(stage().tokens.organization)).output).toContain("Login Succeeded");
  });

  test("1. push and pull", async () => {
    const { folder } = stage();
    expect(await succeed("push", image("acme/web:files"), `sbom.json:${SBOM_TYPE}`)).toContain("Pushed");
    await succeed("pull", image("acme/web:files"), "-o", join(folder, "pulled"));
    expect(readFileSync(join(folder, "pulled/sbom.json"), "utf8")).toBe(SBOM);
  });

  test("2. attach and discover", async () => {
    const { layout, digest } = stage();
    const to = ["--to-plain-http", "--to-registry-config", config];
    const copied = await stage().run([oras ?? "", "cp", "--from-oci-layout", `${layout}:v1`, image(), ...to]);
    expect(copied.code, copied.output).toBe(0);
    for (const type of [SBOM_TYPE, "application/vnd.example.note"])
      await succeed("attach", "--artifact-type", type, "--annotation", `of=${type}`, image(), "sbom.json");
    const discover = async (...more: string[]) =>
      JSON.parse(await succeed("discover", "--format", "json", ...more, image())) as Discovered;
    const all = await discover();
    expect(all.digest).toBe(digest);
    expect(all.referrers.map(({ artifactType }) => artifactType).toSorted()).toEqual([
      SBOM_TYPE,
      "application/vnd.example.note",
    ]);
    const found = await discover("--artifact-type", SBOM_TYPE);
    expect(found.referrers).toMatchObject([{ artifactType: SBOM_TYPE, annotations: { of: SBOM_TYPE } }]);
    expect(await succeed("repo", "tags", image("acme/web"))).toBe("files\nv1\n");
  });

  test("3. what is refused says why", async () => {
    expect((await run(["push", image("acme/nowhere:v1"), "sbom.json"])).output).toContain(
      "name unknown: project acme/nowhere was not found; create it first",
    );
    expect((await run(["pull", image("acme/web:nope")])).output).toContain("acme/web:nope: not found");
    const wrong = await logIn(stage().tokens.wrong);
    expect(wrong.code).toBe(1);
    expect(wrong.output).toContain("unauthorized: token is mistyped or cut off");
  });
});
