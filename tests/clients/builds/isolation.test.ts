/**
 * Two organizations that build on one server at the same time:
 *
 * 1. Neither gets layers, cache mounts or images of the other organization.
 * 2. Members of another organization learn nothing of a build, and cannot cancel it or empty its cache.
 * 3. A step reaches neither the server, nor the registry inside its builder, nor the port of builders by the loopback
 *    addresses of the machine and of its builder, nor link-local addresses, nor a step of the other organization.
 * 4. Each platform has a builder and a cache of its own; platforms that the machine cannot build are refused by name.
 * 5. 20 simultaneous builds, of one project and of four: all succeed, several at a time, and no more run than are
 *    allowed. They are charged to their own organization.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken } from "#accounts/index.ts";
import { makePerson } from "#accounts/testing/accounts.ts";
import { placesOf } from "#builds/testing/machine.ts";
import { comesTrue } from "../../attack/processes.ts";
import { addProject, type Call, type Client, createClient, type Project } from "./build-client.ts";
import { type BuildServer, startBuildServer } from "./build-server.ts";
import { BUILD_MS, findBuildTools, findProcesses } from "./machine-stage.ts";

const tools = await findBuildTools();
const END_MS = 30_000;
const MOST_RUNNING = 8;
/** The name of a file in a cache mount, as a step lists it. */
const SECRET = /^#\d+ [\d.]+ secret$/m;

describe.skipIf(!tools || process.arch !== "x64")("two organizations", { timeout: BUILD_MS }, () => {
  let server: BuildServer;
  let host: string;
  let own: { name: string; client: Client; project: Project };
  let other: { call: Call; client: Client; project: Project };

  beforeAll(async () => {
    process.env["BUILDKITD"] = join(tools!.programs, "buildkitd");
    server = await startBuildServer({
      folder: mkdtempSync(join(tools!.folder, "server-")),
      env: { MILLRACE_BUILDER_PORT: "0" },
    });
    ({ host } = new URL(server.origin));
    const { body: who } = await server.call("AccountService/WhoAmI", {});
    own = {
      name: who.organization,
      client: createClient(server.call, tools!),
      project: await addProject(server.call, "hello"),
    };
    const { accounts } = server;
    const { caller } = await makePerson({ accounts }, "eve", { organization: "evil" });
    const { secret } = await createToken(accounts, caller, { name: "all", type: "org" });
    const call: Call = (method, request, token = secret) => server.call(method, request, token);
    const { body } = await call("ProjectService/Create", { name: "hello" });
    const { id, name } = body.project;
    const made = await createToken(accounts, caller, { name, type: "project", projectId: id });
    const project = { id, name, token: made.secret };
    other = { call, client: createClient(call, tools!), project };
  }, BUILD_MS);
  afterAll(async () => {
    await server?.close();
    if (tools) rmSync(tools.folder, { recursive: true, force: true });
  });

  test("1. layers, mounts and images", async () => {
    const image = `${host}/${own.name}/hello:1`;
    const mount = "RUN --mount=type=cache,id=shared,target=/shared";
    const dockerfile = `FROM base\n${mount} ls /shared; echo $(cat /proc/sys/kernel/random/uuid) > /shared/secret\n`;
    const push = {
      more: [`--output=type=image,name=${image},push=true`],
      config: own.client.login(own.project, host),
    };
    const [mine, theirs] = await Promise.all([
      own.client.build(own.project, dockerfile, push),
      other.client.build(other.project, dockerfile),
    ]);
    expect([mine.code, theirs.code], `${mine.output}\n${theirs.output}`).toEqual([0, 0]);
    for (const { output } of [mine, theirs]) {
      expect(output).not.toMatch(/^#\d+ CACHED$/m);
      expect(output).not.toMatch(SECRET);
    }
    const again = await own.client.build(own.project, `FROM ${image}\n${mount} ls /shared\n`);
    // Its own project has it, so the others do not lack it by accident.
    expect(again.output).toMatch(SECRET);
    for (const config of [undefined, other.client.login(other.project, host)]) {
      const options = config === undefined ? {} : { config };
      const refused = await other.client.build(other.project, `FROM ${image}\nRUN true\n`, options);
      expect(refused.code, refused.output).toBe(1);
      expect(refused.output).toMatch(/401|403|unauthorized|denied|not found/i);
    }
    const into = { more: push.more, config: other.client.login(other.project, host) };
    const pushed = await other.client.build(other.project, dockerfile, into);
    expect([pushed.code, pushed.record.state], pushed.output).toEqual([1, "failed"]);
  });

  test("2. records", async () => {
    const buildId = await own.client.create(own.project);
    const solving = own.client.solve(
      await own.client.reach(own.project, buildId),
      "FROM base\nRUN echo begun && sleep 6543101\n",
    );
    expect(await comesTrue(() => solving.output().includes(" begun\n"), END_MS), solving.output()).toBe(true);
    const ofBuild = { build_id: buildId };
    const ofProject = { project_id: own.project.id };
    const asked: [method: string, request: object][] = [
      ["BuildService/GetBuild", ofBuild],
      ["BuildService/CancelBuild", ofBuild],
      ["BuildService/FinishBuild", { ...ofBuild, succeeded: true }],
      ["BuildService/ExplainStep", { ...ofBuild, step_id: "1" }],
      ["BuilderService/GetEndpoint", { ...ofBuild, platform: "linux/amd64" }],
      ["BuildService/ListBuilds", ofProject],
      ["BuildService/CreateBuild", ofProject],
      ["ProjectService/GetCacheUsage", ofProject],
      ["ProjectService/ResetCache", ofProject],
    ];
    for (const token of [undefined, other.project.token])
      for (const [method, request] of asked) {
        const { status, body } = await other.call(method, request, token);
        expect([method, status]).toEqual([method, expect.toSatisfy((code) => code === 404 || code === 403)]);
        expect(JSON.stringify(body)).not.toMatch(/begun|hello|sleep/);
      }
    expect(await readLog(buildId, other.project.token)).toContain("not_found");
    expect(await readLog(buildId, own.project.token)).toContain("begun");
    const { body: listed } = await other.call("BuildService/ListBuilds", {});
    expect(listed.builds.map(({ project }: { project: string }) => project)).not.toContain(own.project.id);
    expect(JSON.stringify(listed)).not.toContain(buildId);
    expect((await own.client.read(buildId)).state).toBe("running");
    await server.call("BuildService/CancelBuild", ofBuild);
    expect((await solving.ended).code).toBe(1);
  });

  /** Reads until a line, or to the end. */
  async function readLog(buildId: string, token: string): Promise<string> {
    const message = Buffer.from(JSON.stringify({ build_id: buildId }));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    const over = new AbortController();
    const response = await fetch(`${server.origin}/api/millrace.v1.BuildService/StreamLogs`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/connect+json" },
      body: Buffer.concat([head, message]),
      signal: over.signal,
    });
    let text = "";
    for await (const part of response.body ?? []) {
      text += Buffer.from(part).toString("latin1");
      if (text.includes("begun")) break;
    }
    over.abort();
    return text;
  }

  test("3. the network", async () => {
    const listening = await own.client.create(own.project);
    const solving = own.client.solve(
      await own.client.reach(own.project, listening),
      "FROM base\nRUN while :; do nc -l -p 7002 -e echo HTTP/1.1 of another; done\n",
    );
    expect(await comesTrue(() => findProcesses("nc -l -p 7002").length > 0, END_MS)).toBe(true);
    const { port } = new URL(server.origin);
    const id = await other.client.create(other.project);
    const way = await other.client.reach(other.project, id);
    const builderPort = new URL(way.address.replace("tcp:", "http:")).port;
    const places = [
      ...["127.0.0.1", "10.64.0.1", "10.64.0.2", "10.64.0.3"].flatMap((each) => [
        `${each} ${port}`,
        `${each} ${builderPort}`,
      ]),
      "169.254.169.254 80",
      ...[1, 2, 3, 4].map((number) => `10.64.1.${number} 7002`),
    ];
    const lines = [
      "FROM base",
      // A positive control: such a request is answered where it may be.
      "RUN (nc -l -p 7003 -e echo HTTP/1.1 of mine &) ; until echo | nc -w 1 127.0.0.1 7003; do usleep 10000; done",
      ...places.map(
        (each) => `RUN printf "GET / HTTP/1.0\\r\\n\\r\\n" | nc -w 1 ${each} || true; echo "asked ${each}"`,
      ),
    ];
    const built = await other.client.solve(way, `${lines.join("\n")}\n`).ended;
    await other.client.finish(other.project, id, built);
    expect(built.code, built.output).toBe(0);
    for (const each of places) expect(built.output).toMatch(new RegExp(`^#\\d+ [\\d.]+ asked ${each}$`, "m"));
    expect(built.output.match(/^#\d+ [\d.]+ HTTP.*$/gm)).toEqual([expect.stringContaining("of mine")]);
    await server.call("BuildService/CancelBuild", { build_id: listening });
    await solving.ended;
  });

  test("4. platforms", async () => {
    const id = await own.client.create(own.project);
    const platforms = ["linux/amd64", "linux/386"];
    const ways = await Promise.all(platforms.map((platform) => own.client.reach(own.project, id, platform)));
    await expect(own.client.reach(own.project, id, "linux/s390x")).rejects.toThrow(
      /does not build for linux\/s390x; it builds for linux\/amd64, linux\/386/,
    );
    const built = await Promise.all(
      ways.map((way, at) => {
        const more = [`--opt=platform=${platforms[at]}`];
        return own.client.solve(way, "FROM base\nARG TARGETPLATFORM\nRUN echo for $TARGETPLATFORM\n", {
          more,
        }).ended;
      }),
    );
    for (const [at, { code, output }] of built.entries()) {
      expect(code, output).toBe(0);
      expect(output).toContain(`for ${platforms[at]}\n`);
    }
    const record = await own.client.finish(own.project, id, built[0]!);
    expect(record).toMatchObject({ state: "succeeded", platforms });
    const steps = record.steps as { name: string; platform: string; cached?: boolean }[];
    const ran = steps.filter(({ name }) => name.includes("RUN echo for"));
    expect(ran.map(({ platform }) => platform).toSorted()).toEqual(platforms.toSorted());
    expect(ran.filter(({ cached }) => cached)).toEqual([]);
    const { body } = await server.call("ProjectService/GetCacheUsage", { project_id: own.project.id });
    expect(body.caches.map(({ platform }: { platform: string }) => platform).toSorted()).toEqual(
      platforms.toSorted(),
    );
  });

  test("5. 20 builds at once", async () => {
    const projects = [own.project];
    for (const name of ["two", "three", "four"]) projects.push(await addProject(server.call, name));
    const usageOf = async (call: Call) => {
      const { body } = await call("UsageService/GetUsage", { from: "2026-01-01T00:00:00Z" });
      return { builds: Number(body.builds ?? 0), seconds: Number(body.build_seconds ?? 0) };
    };
    const [before, theirs] = [await usageOf(server.call), await usageOf(other.call)];
    for (const among of [projects.slice(0, 1), projects]) {
      let mostRunning = 0;
      const builds = Array.from({ length: 20 }, (_, at) => {
        const project = among[at % among.length]!;
        // At least two at the same time: no step ends before another step of its builder has begun.
        const mount = `RUN --mount=type=cache,id=steps-${among.length},target=/steps`;
        const wait = "until [ $(ls /steps | wc -l) -gt 1 ]; do usleep 10000; done";
        return own.client.build(project, `FROM base\n${mount} touch /steps/${among.length}-${at}; ${wait}\n`);
      });
      const ended = new AbortController();
      const all = Promise.all(builds).finally(() => ended.abort());
      while (!ended.signal.aborted) {
        const request = { project_id: own.project.id, states: ["running"] };
        const { body } = await server.call("BuildService/ListBuilds", request);
        mostRunning = Math.max(mostRunning, body.builds?.length ?? 0);
      }
      for (const { code, output, record } of await all)
        expect([code, record.state, record.error ?? ""], output).toEqual([0, "succeeded", ""]);
      expect(mostRunning).toBeLessThanOrEqual(MOST_RUNNING);
      const running = findProcesses(
        `${tools!.programs}/buildkitd --config`,
        placesOf(server.folder).runFolder,
      );
      expect(new Set(running).size).toBeGreaterThanOrEqual(among.length);
    }
    const after = await usageOf(server.call);
    expect(after.builds).toBe(before.builds + 40);
    expect(after.seconds).toBeGreaterThan(before.seconds);
    expect((await usageOf(other.call)).builds).toBe(theirs.builds);
    expect(server.logged).toEqual([]);
  });
});
