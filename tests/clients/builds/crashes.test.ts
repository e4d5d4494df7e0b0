/**
 * Ends that no one asked for, with a real server in a process of its own:
 *
 * 1. A client that is killed: its step ends immediately; 45 seconds later its build is canceled, and says so. (On a
 *    server of its own, while the others continue.)
 * 2. A `buildkitd` that is killed: the build fails with a message that says so, and the next one finds its layers.
 * 3. A server that is killed while builds run and wait: clients end, nothing is left of its builders, certificates no
 *    longer work; the next server says what happened to each build, and the layer cache is warm.
 * 4. A server that is stopped: the same, in order, and everything is CACHED afterwards.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { placesOf, runFolderOf } from "#builds/testing/machine.ts";
import { comesTrue } from "../../attack/processes.ts";
import {
  addProject,
  type Client,
  createClient,
  type Project,
  type Solving,
  type Way,
} from "./build-client.ts";
import { type BuildServer, createCall, findPort, startBuildServer } from "./build-server.ts";
import { BUILD_MS, findBuildTools, findGroups, findProcesses, findTraces } from "./machine-stage.ts";

const tools = await findBuildTools();
const END_MS = 30_000;
/** 45 seconds, plus what a busy machine needs. */
const GONE_MS = 75_000;
const KEPT = "FROM base\nRUN echo kept > /kept\nRUN echo also kept > /also\n";
const sleeping = (seconds: number) => `FROM base\nRUN echo begun && sleep ${seconds}\n`;

interface Started {
  id: string;
  way: Way;
  solving: Solving;
}

describe.skipIf(!tools)("ends that no one asked for", { timeout: BUILD_MS }, () => {
  const folder = join(tools?.folder ?? "", "data");
  const servers: ChildProcess[] = [];
  let client: Client;
  let call: ReturnType<typeof createCall>;
  let project: Project;
  let other: Project;

  async function startServer(): Promise<ChildProcess> {
    const child = fork(join(import.meta.dirname, "build-process.ts"), [folder, String(port)], {
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    servers.push(child);
    // Its first message.
    const [origin] = (await once(child, "message")) as [string];
    call = createCall(origin);
    client = createClient(call, tools!);
    return child;
  }
  const kill = async (server: ChildProcess, signal: NodeJS.Signals) => {
    const gone = once(server, "exit");
    server.kill(signal);
    await gone;
  };

  let server: ChildProcess;
  let quiet: BuildServer | undefined;
  let goes: (Started & { read: () => Promise<{ state: string; error: string }> }) | undefined;
  let port: number;
  beforeAll(async () => {
    process.env["BUILDKITD"] = join(tools!.programs, "buildkitd");
    mkdirSync(folder);
    port = await findPort();
    server = await startServer();
    [project, other] = [await addProject(call, "one"), await addProject(call, "other")];
  }, BUILD_MS);
  afterAll(async () => {
    for (const each of servers) if (each.exitCode === null && each.signalCode === null) each.kill("SIGKILL");
    await quiet?.close();
    if (tools) rmSync(tools.folder, { recursive: true, force: true });
  });

  async function startStep(of: Project, seconds: number, by = client) {
    const id = await by.create(of);
    const way = await by.reach(of, id);
    const solving = by.solve(way, sleeping(seconds));
    expect(await comesTrue(() => solving.output().includes(" begun\n"), END_MS), solving.output()).toBe(true);
    expect(await comesTrue(() => findProcesses(`sleep ${seconds}`).length > 0, END_MS)).toBe(true);
    return { id, way, solving };
  }
  const stepEnds = (seconds: number) =>
    comesTrue(() => findProcesses(`sleep ${seconds}`).length === 0, END_MS);
  const stateOf = async (id: string) => (await client.read(id)).state;

  test("1. a killed client", async () => {
    quiet = await startBuildServer({ folder: mkdtempSync(join(tools!.folder, "quiet-")) });
    const own = createClient(quiet.call, tools!);
    const gone = await startStep(await addProject(quiet.call, "gone"), 5_432_101, own);
    gone.solving.child.kill("SIGKILL");
    expect(await stepEnds(5_432_101)).toBe(true);
    goes = { ...gone, read: () => own.read(gone.id) };
  });

  test("2. a killed buildkitd", async () => {
    const first = await client.build(project, KEPT);
    expect(first.code, first.output).toBe(0);
    const cut = await startStep(project, 5_432_102);
    for (const id of findProcesses(`${tools!.programs}/buildkitd --config`, runFolderOf(folder, project.id)))
      process.kill(id, "SIGKILL");
    const built = await cut.solving.ended;
    expect(built.code).not.toBe(0);
    expect(await stepEnds(5_432_102)).toBe(true);
    expect(built.output).toContain("the builder has ended: run the build again");
    expect(await client.finish(project, cut.id, built)).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/^The builder ended while the build ran\. Run it again/),
    });
    const again = await client.build(project, KEPT);
    expect(again.output.match(/^#\d+ CACHED$/gm), again.output).toHaveLength(2);
  });

  const useAgain = async ({ way }: Pick<Started, "way">) =>
    client.run([...way.flags, "debug", "workers"]).ended;

  /** No one reads the export. */
  async function startExport(of: Project) {
    const id = await client.create(of);
    const way = await client.reach(of, id);
    const solving = client.solve(way, "FROM base\n", { more: ["--output=type=tar"], isUnread: true });
    const isThere = () => solving.output().includes("sending tarball");
    expect(await comesTrue(isThere, END_MS), solving.output()).toBe(true);
    return { id, way, solving };
  }

  test("3. a killed server", async () => {
    const running = await startStep(project, 5_432_103);
    const exporting = await startExport(project);
    const waiting = await client.create(project);
    const asked = client.reach(project, waiting).catch((error: unknown) => error);
    const { runFolder } = placesOf(folder);
    await kill(server, "SIGKILL");
    for (const { solving } of [running, exporting]) expect((await solving.ended).code).not.toBe(0);
    expect(await asked).toBeInstanceOf(Error);
    const left = () => findTraces([`${folder}/`, runFolder]);
    expect(await comesTrue(() => left().length === 0, END_MS), left().join("\n")).toBe(true);
    expect(await stepEnds(5_432_103)).toBe(true);
    server = await startServer();
    for (const { id } of [running, exporting]) {
      // The server first asks the builder for its records.
      await expect.poll(() => stateOf(id), { timeout: END_MS, interval: 100 }).toBe("canceled");
      expect((await client.read(id)).error).toBe(
        "The server ended while the build ran. Run it again: finished steps are in the layer cache.",
      );
    }
    const old = await useAgain(running);
    expect(old, old.output).toMatchObject({
      code: 1,
      output: expect.stringContaining("this build has ended"),
    });
    // It keeps its place in the records: its client asks again.
    expect(await stateOf(waiting)).toBe("queued");
    const built = await client.solve(await client.reach(project, waiting), KEPT).ended;
    expect(built.output.match(/^#\d+ CACHED$/gm), built.output).toHaveLength(2);
    expect((await client.finish(project, waiting, built)).state).toBe("succeeded");
  });

  test("4. a stopped server", async () => {
    const running = await startStep(other, 5_432_104);
    const { name, runFolder } = placesOf(folder);
    await kill(server, "SIGTERM");
    const built = await running.solving.ended;
    expect(built).toMatchObject({ code: 1, output: expect.stringContaining("The server was stopped") });
    // Immediately: the server has waited for them.
    expect([...findTraces([`${folder}/`, runFolder]), ...findGroups(name)]).toEqual([]);
    server = await startServer();
    expect(await client.read(running.id)).toMatchObject({
      state: "canceled",
      error: expect.stringMatching(/^The server was stopped/),
    });
    const again = await client.build(project, KEPT);
    expect(again.output.match(/^#\d+ CACHED$/gm), again.output).toHaveLength(2);
    expect(again.record).toMatchObject({ state: "succeeded", steps_cached: again.record.steps_total });
  });

  test("1. afterwards", { timeout: GONE_MS }, async () => {
    const { id, read } = goes!;
    await expect.poll(async () => (await read()).state, { timeout: GONE_MS, interval: 200 }).toBe("canceled");
    expect((await read()).error).toBe("The client disconnected before it reported how the build ended.");
    expect((await useAgain(goes!)).output, id).toContain("this build has ended");
  });
});
