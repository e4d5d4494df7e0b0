/**
 * Builds of three servers on one PostgreSQL, two of which have a `buildkitd`. Clients reach any of them, as behind a
 * load balancer:
 * 1. A project's builds meet at one builder, whichever server was asked: the second build comes from the layer cache,
 *    its client connects to a server that does not have the builder, and its steps and log are read at every server
 *    while it runs.
 * 2. A server that does not have the build accepts its end or its cancellation; the client is cut off, and the record
 *    says who canceled it.
 * 3. Places are counted together, and go in the order of asking.
 * 4. A server that has no `buildkitd` leaves its builds to the others.
 * 5. A server that is killed in the middle of a build: another server ends it within the time of the lease, the record
 *    says what happened, and the project's next build works.
 * 6. The same server again: a solve that had ended unreported counts, with its digest. Also when the server returns
 *    after another server has ended the build: the record is corrected.
 * 7. A server without layer caches reports the size of the others' caches, and empties them.
 */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWNER_TOKEN } from "../clients/builds/build-server.ts";
import { BUILD_MS, findBuildTools } from "../clients/builds/machine-stage.ts";
import { askForBuild, type BuildsProcess, type Endpoint, startBuildsProcess } from "./builds-servers.ts";
import { findPostgres, type RunningPostgres, startPostgres } from "./postgres.ts";

/** A server that was not heard of for so long has lost its builds. */
const HOLDER_LEASE_MS = 30_000;
const AT_MOST_MS = 60_000;
/** Time for a busy machine to notice, and to answer. */
const MARGIN_MS = 15_000;
const PAUSE_MS = 50;
const platform = "linux/amd64";
const programs = findPostgres();
const tools = programs && process.arch === "x64" ? await findBuildTools() : null;

afterAll(() => (tools ? rm(tools.folder, { recursive: true, force: true }) : undefined));

describe.runIf(tools)("builds of several servers", () => {
  let postgres: RunningPostgres;
  let env: Record<string, string>;
  let first: BuildsProcess;
  let second: BuildsProcess;
  let without: BuildsProcess;

  beforeAll(async () => {
    postgres = await startPostgres(programs!);
    env = {
      HOST: "127.0.0.1",
      SITE_ORIGIN: "http://localhost:8080",
      MILLRACE_DATABASE_URL: postgres.url,
      MILLRACE_SECRET_KEY: randomBytes(32).toString("base64"),
      MILLRACE_BUILDER_CONCURRENCY: "1",
      BUILDKITD: join(tools!.programs, "buildkitd"),
    };
    const start = (name: string, more = {}) =>
      startBuildsProcess(join(tools!.folder, name), { ...env, ...more });
    // In sequence: the first server makes the tables.
    first = await start("first");
    [second, without] = await Promise.all([
      start("second"),
      start("without", { BUILDKITD: "/nowhere/buildkitd" }),
    ]);
  }, BUILD_MS);
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop(), without?.stop()]);
    await postgres?.close();
  }, BUILD_MS);

  async function addProject(name: string): Promise<string> {
    const { body } = await first.call("ProjectService/Create", { name });
    return body.project.id;
  }
  async function createBuild(server: BuildsProcess, projectId: string): Promise<string> {
    const { body } = await server.call("BuildService/CreateBuild", { project_id: projectId });
    return body.build.id;
  }
  async function askEndpoint(server: BuildsProcess, buildId: string): Promise<Endpoint> {
    const { status, body } = await server.call("BuilderService/GetEndpoint", { build_id: buildId, platform });
    expect(body).toMatchObject({ address: expect.stringMatching(/^tcp:/) });
    expect(status).toBe(200);
    // The installation's name leads to any server; here, to this one.
    return { ...body, address: `tcp://127.0.0.1:${server.port}` };
  }
  const read = async (server: BuildsProcess, buildId: string) =>
    (await server.call("BuildService/GetBuild", { build_id: buildId })).body.build;
  const finish = (server: BuildsProcess, buildId: string) =>
    server.call("BuildService/FinishBuild", { build_id: buildId, succeeded: true });
  const fileOf = (...runs: string[]) => ["FROM base", ...runs.map((each) => `RUN ${each}`)].join("\n");

  async function untilTrue(
    what: string,
    holds: () => Promise<boolean>,
    atMostMs = AT_MOST_MS,
  ): Promise<number> {
    const begun = performance.now();
    while (!(await holds())) {
      if (performance.now() - begun > atMostMs)
        throw new Error(`Not in ${atMostMs} ms: ${what}\n${first.output()}\n${second.output()}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return performance.now() - begun;
  }
  const isRunning = (server: BuildsProcess, buildId: string) =>
    untilTrue("the step runs", async () =>
      (await read(server, buildId)).steps.some(
        (step: { name: string; state: string }) => step.name.includes("sleep") && step.state === "running",
      ),
    );

  test(
    "1. one builder, asked for anywhere",
    async () => {
      const projectId = await addProject("shared");
      for (const [at, server] of [first, second, without].entries()) {
        const buildId = await createBuild(server, projectId);
        const endpoint = await askEndpoint(server, buildId);
        const { ended } = await askForBuild(tools!, endpoint, fileOf("echo once > /file"));
        const { code, output } = await ended;
        expect(`${code} ${output}`).toMatch(/^0 /);
        const { status } = await finish([second, without, first][at]!, buildId);
        expect(status).toBe(200);
        for (const reader of [first, second, without])
          expect(await read(reader, buildId)).toMatchObject({
            state: "succeeded",
            steps_total: 1,
            steps_cached: at === 0 ? 0 : 1,
            platforms: [platform],
          });
      }
    },
    BUILD_MS,
  );

  test(
    "1. and 2. read live, and canceled, at the other server",
    async () => {
      const projectId = await addProject("canceled");
      const buildId = await createBuild(first, projectId);
      const { ended } = await askForBuild(
        tools!,
        await askEndpoint(second, buildId),
        fileOf("echo it-runs && sleep 300"),
      );
      const response = await fetch(
        `http://localhost:${without.port}/api/millrace.v1.BuildService/StreamLogs`,
        {
          method: "POST",
          headers: { authorization: `Bearer ${OWNER_TOKEN}`, "content-type": "application/connect+json" },
          body: frame({ build_id: buildId }),
        },
      );
      const streamed = readUntil(response, "it-runs");
      await isRunning(without, buildId);
      expect(await streamed).toContain('"stream":"stdout"');
      const { status } = await without.call("BuildService/CancelBuild", { build_id: buildId });
      expect(status).toBe(200);
      expect((await ended).code).not.toBe(0);
      expect(await read(second, buildId)).toMatchObject({
        state: "canceled",
        error: expect.stringMatching(/^Canceled by .+\.$/),
        canceled_by: expect.stringMatching(/./),
      });
    },
    BUILD_MS,
  );

  test(
    "3. places",
    async () => {
      const projectId = await addProject("places");
      const ids: string[] = [];
      for (const server of [first, second, without, second]) ids.push(await createBuild(server, projectId));
      const [running = "", next = "", last = "", gone = ""] = ids;
      await askEndpoint(first, running);
      const granted: string[] = [];
      const asking: Promise<unknown>[] = [];
      for (const [server, id] of [
        [second, next],
        [without, gone],
        [first, last],
      ] as const) {
        asking.push(
          server
            .call("BuilderService/GetEndpoint", { build_id: id, platform })
            .then(({ status }) => granted.push(`${id} ${status}`)),
        );
        await untilTrue("it waits", async () => (await read(server, id)).waits_for === "place");
      }
      await second.call("BuildService/CancelBuild", { build_id: gone });
      await untilTrue("who waits for a canceled build is told", async () => granted.length === 1);
      for (const id of [running, next, last]) {
        await untilTrue("it has its place", async () => (await read(second, id)).state === "running");
        const open = await second.call("BuildService/ListBuilds", {
          project_id: projectId,
          states: ["running"],
        });
        expect(open.body.builds.map((build: { id: string }) => build.id)).toEqual([id]);
        const isTold = async () => id === running || granted.includes(`${id} 200`);
        await untilTrue("its client is told", isTold);
        await second.call("BuildService/CancelBuild", { build_id: id });
      }
      await Promise.all(asking);
      expect(granted).toEqual([`${gone} 400`, `${next} 200`, `${last} 200`]);
    },
    BUILD_MS,
  );

  test(
    "4. a server without buildkitd",
    async () => {
      const projectId = await addProject("elsewhere");
      const buildId = await createBuild(without, projectId);
      // No other server was asked for a builder of this project, so this one would be chosen.
      const { ended } = await askForBuild(
        tools!,
        await askEndpoint(without, buildId),
        fileOf("echo elsewhere"),
      );
      expect((await ended).code).toBe(0);
      await finish(without, buildId);
      expect(await read(without, buildId)).toMatchObject({ state: "succeeded", steps_done: 1 });
    },
    BUILD_MS,
  );

  test(
    "7. layer caches, asked for elsewhere",
    async () => {
      const projectId = await addProject("emptied");
      const usages = async () =>
        (await without.call("ProjectService/GetCacheUsage", { project_id: projectId })).body.caches;
      const counts: number[] = [];
      for (const server of [first, second]) {
        const buildId = await createBuild(server, projectId);
        const endpoint = await askEndpoint(first, buildId);
        const { ended } = await askForBuild(tools!, endpoint, fileOf("echo emptied > /file"));
        expect((await ended).code).toBe(0);
        await finish(server, buildId);
        counts.push((await read(server, buildId)).steps_cached ?? 0);
        expect(await usages()).toMatchObject([{ platform, size_bytes: expect.stringMatching(/^[1-9]/) }]);
        const { status, body } = await without.call("ProjectService/ResetCache", { project_id: projectId });
        expect({ status, body }).toMatchObject({
          status: 200,
          body: { freed_bytes: expect.stringMatching(/^[1-9]/) },
        });
        expect((await usages()) ?? []).toEqual([]);
      }
      expect(counts).toEqual([0, 0]);
    },
    BUILD_MS,
  );

  test(
    "5. and 6. killed",
    async () => {
      const [lostId, keptId] = [await addProject("lost"), await addProject("kept")];
      const kept = await createBuild(first, keptId);
      const { ended: built } = await askForBuild(tools!, await askEndpoint(first, kept), fileOf("echo kept"));
      expect((await built).code).toBe(0);
      await untilTrue("its record is written", async () => (await read(second, kept)).steps_done === 1);
      await first.kill();
      first = await startBuildsProcess(first.folder, env);
      await untilTrue(
        "the build that had ended is known",
        async () => (await read(second, kept)).state !== "running",
      );
      expect(await read(second, kept)).toMatchObject({ state: "succeeded", error: "" });

      const lost = await createBuild(first, lostId);
      const { ended } = await askForBuild(tools!, await askEndpoint(first, lost), fileOf("sleep 300"));
      await isRunning(second, lost);
      const late = await createBuild(first, await addProject("late"));
      const { ended: lately } = await askForBuild(
        tools!,
        await askEndpoint(first, late),
        fileOf("echo late"),
      );
      expect((await lately).code).toBe(0);
      await untilTrue("its record is written", async () => (await read(second, late)).steps_done === 1);
      await first.kill();
      const killedAt = performance.now();
      expect((await ended).code).not.toBe(0);
      const isEnded = async () => (await read(second, lost)).state !== "running";
      await untilTrue("another server ends it", isEnded, HOLDER_LEASE_MS + MARGIN_MS);
      expect(performance.now() - killedAt).toBeLessThan(HOLDER_LEASE_MS + MARGIN_MS);
      const record = await read(second, lost);
      expect(record).toMatchObject({
        state: "canceled",
        error: expect.stringContaining("The server ended while the build ran."),
      });
      expect(record.steps.filter(({ state }: { state: string }) => state === "running")).toEqual([]);
      const again = await createBuild(second, lostId);
      const { ended: worked } = await askForBuild(
        tools!,
        await askEndpoint(second, again),
        fileOf("echo again"),
      );
      expect((await worked).code).toBe(0);
      await finish(second, again);
      expect((await read(second, again)).state).toBe("succeeded");

      await untilTrue("another server ends it", async () => (await read(second, late)).state === "canceled");
      first = await startBuildsProcess(first.folder, env);
      await untilTrue("its server corrects it", async () => (await read(second, late)).state === "succeeded");
      const corrected = await read(second, late);
      expect(corrected).toMatchObject({ state: "succeeded", error: "" });
      expect(Date.parse(corrected.finished_at)).toBeLessThan(Date.parse(record.finished_at));
      expect(corrected.steps.map(({ state }: { state: string }) => state)).not.toContain("canceled");
      // A build that had not ended stays unchanged.
      expect(await read(second, lost)).toMatchObject({ state: "canceled", error: record.error });
    },
    2 * BUILD_MS,
  );
});

/** One message of Connect's protocol of streams. */
function frame(message: object): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(text.length, 1);
  return new Uint8Array([...head, ...text]);
}

async function readUntil({ body }: Response, wanted: string): Promise<string> {
  let read = "";
  for await (const chunk of body!) {
    read += Buffer.from(chunk).toString();
    if (read.includes(`"${wanted}"`)) break;
  }
  return read;
}
