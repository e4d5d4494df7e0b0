/**
 * A project's read-only token, as a cluster or a server has it, with real clients that log in as the pages say:
 *
 * 1. It pulls its project's images, lists their tags, and finds their referrers.
 * 2. A push, an overwritten tag, a new tag, a copy, a deleted tag or image and an attached file are refused in words
 *    that say which token is needed. Afterwards all rows of the registry are unchanged.
 * 3. It cannot pull from other projects. An organization's token pulls from all of them, and changes nothing either.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOOL_MS, useRegistryStage } from "./registry-stage.ts";
import { startTlsFront, type TlsFront } from "./tls-front.ts";
import { findCrane, findDocker, findOras, findSkopeo } from "./tools.ts";

const [crane, skopeo, oras, docker] = [
  await findCrane(),
  await findSkopeo(),
  await findOras(),
  await findDocker(),
];
const REFUSED = "a read-only token may not push, tag or delete images; use a token that is not read-only";
const TABLES = ["registry_manifests", "registry_tags", "registry_blobs", "registry_uploads"] as const;
const SBOM_TYPE = "application/spdx+json";

describe.skipIf(!crane)("a read-only token", { timeout: TOOL_MS }, () => {
  const stage = useRegistryStage();
  const image = (name = "acme/web:v1") => `${stage().host}/${name}`;
  const runCrane = (config: string, ...args: string[]) =>
    stage().run([crane ?? "", ...args], { env: { DOCKER_CONFIG: config } });
  const succeed = async (ran: Promise<{ code: number | null; output: string }>) => {
    const { code, output } = await ran;
    expect(code, output).toBe(0);
    return output;
  };
  /** All rows; nothing is swept while a test runs, but times of the next check may move. */
  const readRows = async () => {
    const { db } = stage().registry.database;
    const rows = await Promise.all(TABLES.map((table) => db.selectFrom(table).selectAll().execute()));
    return JSON.stringify(rows, (column, value: unknown) => (column === "sweep_at" ? undefined : value));
  };
  /** Refuses each, and changes nothing. */
  const expectRefused = async (
    tries: readonly (() => Promise<{ code: number | null; output: string }>)[],
  ) => {
    const before = await readRows();
    for (const attempt of tries) {
      const { code, output } = await attempt();
      expect(code, output).not.toBe(0);
      expect(output).toContain(REFUSED);
    }
    expect(await readRows()).toBe(before);
  };
  let owner = "";

  beforeAll(async () => {
    const { makeConfig, tokens, layout, folder } = stage();
    owner = makeConfig(tokens.organization);
    for (const name of ["acme/web:v1", "acme/web:v2", "acme/api:v1"])
      await succeed(runCrane(owner, "push", layout, image(name)));
    writeFileSync(join(folder, "sbom.json"), '{"spdxVersion":"SPDX-2.3"}');
  });

  describe.each(["puller", "readOnly"] as const)("crane, %s", (kind) => {
    let config = "";
    beforeAll(async () => {
      config = stage().makeConfig();
      const { host, tokens } = stage();
      await succeed(runCrane(config, "auth", "login", host, "-u", "x-token", "-p", tokens[kind]));
    });

    test("1. pulls and lists", async () => {
      const { digest, layout, folder } = stage();
      expect((await succeed(runCrane(config, "digest", image()))).trim()).toBe(digest);
      expect(await succeed(runCrane(config, "ls", image("acme/web")))).toContain("v1\nv2\n");
      const into = join(folder, `pulled-${kind}`);
      await succeed(runCrane(config, "pull", "--format=oci", image(), into));
      const file = `blobs/sha256/${digest.slice("sha256:".length)}`;
      expect(readFileSync(join(into, file))).toEqual(readFileSync(join(layout, file)));
      const byDigest = join(folder, `${kind}.tar`);
      await succeed(runCrane(config, "pull", image(`acme/web@${digest}`), byDigest));
      expect(existsSync(byDigest)).toBe(true);
    });

    test("2. changes nothing", async () => {
      const { layout, digest, folder } = stage();
      await expectRefused([
        () => runCrane(config, "push", layout, image("acme/web:new")),
        () => runCrane(config, "tag", image(), "new"),
        () => runCrane(config, "copy", image(), image("acme/web:copied")),
        () => runCrane(config, "mutate", "--label", "a=b", "--tag", image("acme/web:v2"), image()),
        () =>
          runCrane(
            config,
            "append",
            "--base",
            image(),
            "--new_layer",
            join(folder, "sbom.json"),
            "-t",
            image(),
          ),
        () => runCrane(config, "delete", image("acme/web:v2")),
        () => runCrane(config, "delete", image(`acme/web@${digest}`)),
      ]);
      expect((await succeed(runCrane(owner, "digest", image("acme/web:v2")))).trim()).toBe(digest);
    });

    test("3. other projects", async () => {
      const { code, output } = await runCrane(config, "digest", "--full-ref", image("acme/api:v1"));
      if (kind === "readOnly") return expect(code, output).toBe(0);
      expect(code).toBe(1);
      const pulled = await runCrane(config, "pull", image("acme/api:v1"), join(stage().folder, "x.tar"));
      expect(pulled.output).toContain("DENIED: this token belongs to another project");
    });
  });

  describe.skipIf(!skopeo)("skopeo", () => {
    let auth = "";
    const run = (args: readonly string[], input?: string) =>
      stage().run([skopeo ?? "", ...args], {
        env: { REGISTRY_AUTH_FILE: auth },
        ...(input !== undefined && { input }),
      });
    beforeAll(async () => {
      auth = join(stage().makeConfig(), "config.json");
      const login = ["login", "--tls-verify=false", stage().host, "-u", "x-token", "--password-stdin"];
      expect(await succeed(run(login, stage().tokens.puller))).toContain("Login Succeeded!");
    });

    test("1. pulls and lists", async () => {
      const { digest, folder } = stage();
      const read = async (verb: string, name?: string) =>
        JSON.parse(await succeed(run([verb, "--tls-verify=false", `docker://${image(name)}`]))) as object;
      expect(await read("inspect")).toMatchObject({ Digest: digest });
      expect(await read("list-tags", "acme/web")).toMatchObject({
        Tags: expect.arrayContaining(["v1", "v2"]),
      });
      await succeed(
        run(["copy", "--src-tls-verify=false", `docker://${image()}`, `oci:${folder}/from-skopeo:v1`]),
      );
    });

    test("2. changes nothing", async () => {
      const copy = ["copy", "--preserve-digests", "--dest-tls-verify=false", `oci:${stage().layout}:v1`];
      const to = (name: string) => [...copy, `docker://${image(name)}`];
      await expectRefused([
        () => run(to("acme/web:new")),
        () => run(to("acme/web:v1")),
        () => run(["delete", "--tls-verify=false", `docker://${image("acme/web:v2")}`]),
      ]);
    });
  });

  describe.skipIf(!oras)("oras", () => {
    let config = "";
    const run = (args: readonly string[], input?: string) =>
      stage().run([oras ?? "", ...args, "--plain-http", "--registry-config", config], {
        ...(input !== undefined && { input }),
      });
    const logIn = async (token: string) => {
      config = join(stage().makeConfig(), "config.json");
      await succeed(run(["login", stage().host, "-u", "x-token", "--password-stdin"], token));
    };
    beforeAll(async () => {
      await logIn(stage().tokens.organization);
      await succeed(run(["attach", "--artifact-type", SBOM_TYPE, image(), "sbom.json"]));
      await succeed(run(["push", image("acme/web:files"), `sbom.json:${SBOM_TYPE}`]));
      await logIn(stage().tokens.puller);
    });

    test("1. pulls, and finds what refers to an image", async () => {
      await succeed(run(["pull", image("acme/web:files"), "-o", join(stage().folder, "files")]));
      const found = await succeed(run(["discover", "--format", "json", image()]));
      expect(JSON.parse(found)).toMatchObject({ referrers: [{ artifactType: SBOM_TYPE }] });
    });

    test("2. changes nothing", async () => {
      writeFileSync(join(stage().folder, "note.json"), "{}");
      await expectRefused([
        () => run(["attach", "--artifact-type", SBOM_TYPE, image(), "note.json"]),
        () => run(["push", image("acme/web:files"), "note.json"]),
        () => run(["manifest", "delete", "--force", image("acme/web:files")]),
      ]);
    });
  });

  describe.skipIf(!docker)("docker login", () => {
    let front: TlsFront | undefined;
    beforeAll(async () => void (front = await startTlsFront(stage().registry.url, stage().folder)));
    afterAll(() => front?.close());

    test("1. takes it", async () => {
      const { host = "", certificate = "" } = front ?? {};
      const env = { DOCKER_CONFIG: stage().makeConfig(), SSL_CERT_FILE: certificate };
      const command = [docker ?? "", "login", host, "-u", "x-token", "--password-stdin"];
      const ran = stage().run(command, { env, input: stage().tokens.puller });
      expect(await succeed(ran)).toContain("Login Succeeded");
    });
  });
});
