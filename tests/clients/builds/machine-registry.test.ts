/**
 * The registry inside a builder, with a real buildkitd and the real registry:
 *
 * 1. An image of the project itself is a base without any token; a push needs the client's.
 * 2. An image of another project needs the client's token, and a builder of another organization gets nothing without a
 *    token.
 * 3. An image of docker.io comes through the mirror, with the credentials of the builder's organization, not of a
 *    client; another organization's builder does not get it.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestMachine, openTestMachine, wanted } from "#builds/testing/machine.ts";
import { createBuilderEndpoint, parseMirrorHosts } from "#registry/index.ts";
import { useRegistryStage } from "../registry/registry-stage.ts";
import { findCrane } from "../registry/tools.ts";
import { build, BUILD_MS, findBuildTools } from "./machine-stage.ts";

const [tools, crane] = [await findBuildTools(), await findCrane()];

describe.skipIf(!tools || !crane)("the registry inside", { timeout: BUILD_MS }, () => {
  const programs = tools!;
  /** Stands for docker.io: only `acme` has a login there. */
  const far = useRegistryStage();
  const stage = useRegistryStage(() => ({
    // Its tokens come from its own address.
    mirror: { hosts: parseMirrorHosts(`docker.io=${far().registry.url},tokens.test=http://${far().host}`) },
  }));
  let machine: TestMachine | undefined;
  beforeAll(async () => {
    const { registry, host } = stage();
    const dataFolder = join(programs.folder, "data");
    mkdirSync(dataFolder);
    const log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} };
    const listen = createBuilderEndpoint({ ...registry, log });
    const { mirrors } = registry.registry;
    const { caller } = stage().owner;
    await mirrors?.set(caller, {
      host: "docker.io",
      username: "x-token",
      password: far().tokens.organization,
    });
    machine = await openTestMachine(programs, { dataFolder, registryHost: host, listen });
  });
  afterAll(async () => {
    await machine?.close();
    rmSync(programs.folder, { recursive: true, force: true });
  });

  const openFor = async (organization: string, project: string) => {
    const { db } = stage().registry.database;
    const found = await db
      .selectFrom("organizations")
      .leftJoin("projects", (join) =>
        join.onRef("projects.organization_id", "=", "organizations.id").on("projects.name", "=", project),
      )
      .select(["organizations.id as organizationId", "projects.id as projectId"])
      .where("organizations.name", "=", organization)
      .executeTakeFirstOrThrow();
    const { organizationId, projectId } = found;
    const place = await machine!.builders.open(
      wanted({ organizationId, projectId: projectId ?? "prj_none" }),
    );
    return place.socket;
  };
  const push = (name: string) => ["--output", `type=image,name=${stage().host}/${name},push=true`];

  test("1. own images and pushes", async () => {
    const socket = await openFor("acme", "web");
    const config = stage().makeConfig(stage().tokens.organization);
    const refused = await build(programs, socket, "FROM base\n", push("acme/web:1"));
    expect(refused.code, refused.output).not.toBe(0);
    expect(refused.output).toMatch(/unauthorized|401/);
    const pushed = await build(
      programs,
      socket,
      "FROM base\nRUN echo hello > /hello\n",
      push("acme/web:1"),
      config,
    );
    expect(pushed.code, pushed.output).toBe(0);
    const based = await build(programs, socket, `FROM ${stage().host}/acme/web:1\nRUN cat /hello\n`);
    expect(based.code, based.output).toBe(0);
  });

  test("2. images of others", async () => {
    const config = stage().makeConfig(stage().tokens.organization);
    const own = await openFor("acme", "web");
    const other = "acme/api:1";
    const pushed = await build(programs, own, "FROM base\nRUN echo other > /other\n", push(other), config);
    expect(pushed.code, pushed.output).toBe(0);
    const dockerfile = `FROM ${stage().host}/${other}\nRUN cat /other\n`;
    const strange = await openFor("evil", "none");
    const refused = await build(programs, strange, dockerfile);
    expect(refused.code, refused.output).not.toBe(0);
    expect(refused.output).toMatch(/unauthorized|401/);
    const mine = `FROM ${stage().host}/acme/web:1\n`;
    expect((await build(programs, strange, mine)).code).not.toBe(0);
    const withToken = await build(programs, await openFor("acme", "web"), dockerfile, [], config);
    expect(withToken.code, withToken.output).toBe(0);
  });

  test("3. images of docker.io", async () => {
    const config = far().makeConfig(far().tokens.organization);
    const name = `${far().host}/acme/web:1`;
    const pushed = await far().run([crane ?? "", "push", programs.base.folder, name], {
      env: { DOCKER_CONFIG: config },
    });
    expect(pushed.code, pushed.output).toBe(0);
    const dockerfile = "FROM acme/web:1\nRUN echo mirrored\n";
    const strange = await build(programs, await openFor("evil", "none"), dockerfile);
    expect(strange.code, strange.output).not.toBe(0);
    const own = await build(programs, await openFor("acme", "web"), dockerfile);
    expect(own.code, own.output).toBe(0);
  });
});
