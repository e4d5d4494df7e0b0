/**
 * Records of a real server and a real `buildkitd`, in a process that can be killed:
 * 1. A step that writes 1,000,000 lines: all are kept, a reader can start at any line, and the server's memory does not
 *    grow with the log.
 * 2. A server that is killed and started again: a build that ran says so and has no step that still runs; a build whose
 *    solve had ended before anyone reported it has succeeded; the port refuses both clients.
 */
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  askForBuild,
  type BuildsProcess,
  type Endpoint,
  startBuildsProcess,
} from "../../deploy/builds-servers.ts";
import { OWNER_TOKEN } from "./build-server.ts";
import { BUILD_MS, findBuildTools } from "./machine-stage.ts";

const LINES = 1_000_000;
const MEBIBYTE = 1024 * 1024;
/** The server's growth above rest: 300 were measured on a busy machine, and holding all lines would need 250 more. */
const MAX_GROWTH_MB = 450;
const platform = "linux/amd64";
const tools = process.arch === "x64" ? await findBuildTools() : null;
afterAll(() => (tools ? rm(tools.folder, { recursive: true, force: true }) : undefined));

describe.runIf(tools)("records", () => {
  let server: BuildsProcess;
  let env: Record<string, string>;
  let projectId: string;

  beforeAll(async () => {
    env = { HOST: "127.0.0.1", BUILDKITD: join(tools!.programs, "buildkitd") };
    server = await startBuildsProcess(join(tools!.folder, "server"), env);
    projectId = (await server.call("ProjectService/Create", { name: "web" })).body.project.id;
  }, BUILD_MS);
  afterAll(() => server?.stop(), BUILD_MS);

  async function begin(...runs: string[]) {
    const { body } = await server.call("BuildService/CreateBuild", { project_id: projectId });
    const buildId: string = body.build.id;
    const asked = await server.call("BuilderService/GetEndpoint", { build_id: buildId, platform });
    const endpoint: Endpoint = asked.body;
    const file = ["FROM base", ...runs.map((each) => `RUN ${each}`)].join("\n");
    return { buildId, endpoint, file, client: await askForBuild(tools!, endpoint, file) };
  }
  const read = async (buildId: string) =>
    (await server.call("BuildService/GetBuild", { build_id: buildId })).body.build;
  async function until(holds: (build: Awaited<ReturnType<typeof read>>) => boolean, buildId: string) {
    for (let build = await read(buildId); ; build = await read(buildId)) if (holds(build)) return build;
  }

  test(
    "1. a long log",
    async () => {
      const idleMb = residentMb(server.pid);
      let mostMb = 0;
      const sampling = setInterval(() => (mostMb = Math.max(mostMb, residentMb(server.pid))), 100);
      onTestFinished(() => clearInterval(sampling));
      const { buildId, client } = await begin(`seq 1 ${LINES}`);
      const { code, output } = await client.ended;
      expect(`${code} ${output.slice(-1000)}`).toMatch(/^0 /);
      await server.call("BuildService/FinishBuild", { build_id: buildId, succeeded: true });
      const build = await read(buildId);
      expect([build.state, Number(build.log_lines) >= LINES]).toEqual(["succeeded", true]);
      let count = 0;
      let numbers = 0;
      for await (const { sequence, text = "" } of readLog(server, buildId, 0)) {
        count += 1;
        if (Number(sequence) !== count) throw new Error(`line ${count} has the number ${sequence}`);
        if (/^\d+$/.test(text) && Number(text) !== (numbers += 1))
          throw new Error(`${text} comes after ${numbers - 1}`);
      }
      expect([count, numbers]).toEqual([Number(build.log_lines), LINES]);
      for (const after of [1, LINES / 2, LINES - 1]) {
        const { value: first } = await readLog(server, buildId, after).next();
        expect(Number(first?.sequence)).toBe(after + 1);
      }
      expect(mostMb - idleMb).toBeLessThan(MAX_GROWTH_MB);
    },
    2 * BUILD_MS,
  );

  test(
    "2. killed, and started again",
    async () => {
      const ended = await begin("echo ended");
      expect((await ended.client.ended).code).toBe(0);
      await until(({ steps_done: done }) => done === 1, ended.buildId);
      const lost = await begin("echo begins && sleep 300");
      await until(({ log_lines: lines }) => Number(lines) >= 2, lost.buildId);
      await server.kill();
      expect((await lost.client.ended).code).not.toBe(0);
      server = await startBuildsProcess(server.folder, env);
      const isOver = ({ state }: { state: string }) => state !== "running";
      expect(await until(isOver, ended.buildId)).toMatchObject({ state: "succeeded", error: "" });
      const record = await until(isOver, lost.buildId);
      expect(record).toMatchObject({
        state: "canceled",
        error: expect.stringContaining("The server ended while the build ran."),
      });
      expect(record.steps.map(({ state }: { state: string }) => state)).not.toContain("running");
      const again = await askForBuild(tools!, lost.endpoint, lost.file);
      expect((await again.ended).code).not.toBe(0);
    },
    2 * BUILD_MS,
  );
});

const residentMb = (pid: number) =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024) / MEBIBYTE;

interface Line {
  sequence: string;
  text?: string;
}

/** As a browser reads it: Connect's protocol of streams. */
async function* readLog({ port }: BuildsProcess, buildId: string, after: number): AsyncGenerator<Line> {
  const message = Buffer.from(JSON.stringify({ build_id: buildId, after: String(after) }));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  const { body } = await fetch(`http://localhost:${port}/api/millrace.v1.BuildService/StreamLogs`, {
    method: "POST",
    headers: { authorization: `Bearer ${OWNER_TOKEN}`, "content-type": "application/connect+json" },
    body: Buffer.concat([head, message]),
  });
  let left = Buffer.alloc(0);
  for await (const chunk of body!) {
    left = Buffer.concat([left, chunk]);
    let at = 0;
    while (left.length >= at + 5 && left.length >= at + 5 + left.readUInt32BE(at + 1)) {
      const end = at + 5 + left.readUInt32BE(at + 1);
      // The last message has the end of the stream.
      if (left[at] === 0) yield JSON.parse(left.toString("utf8", at + 5, end)) as Line;
      at = end;
    }
    left = left.subarray(at);
  }
}
