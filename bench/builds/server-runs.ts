/** The cost of builds to the server's own process: while steps run, and while builds wait for a place. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createBuild, openThroughPort } from "./clients.ts";
import { type Server, SLEEP_DOCKERFILE, type Tools, writeContext } from "./stage.ts";
import { median, type Row } from "./table.ts";

const MB = 1_000_000;
const SAMPLE_MS = 200;
/** As many as one builder runs. */
const RUNNING = 8;
const WARM_MS = 3_000;
const STOP_MS = 30_000;

const systemValue = (name: string) => Number(execFileSync("getconf", [name], { encoding: "utf8" }));
const TICK_MS = 1000 / systemValue("CLK_TCK");
const PAGE_BYTES = systemValue("PAGESIZE");

/** Milliseconds of CPU of the process alone, without its builders. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Resident memory, without pages that are only mapped from files. */
function memoryOf(pid: number): number {
  const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
  return ((resident - shared) * PAGE_BYTES) / MB;
}

interface Use {
  /** Milliseconds a second. */
  cpu: number;
  /** MB, one for each sample. */
  memory: number[];
}

/** @returns a function that stops sampling and returns the usage */
function startSampling(pid: number): () => Use {
  const memory = [memoryOf(pid)];
  const [cpu, before] = [cpuOf(pid), performance.now()];
  const sampling = setInterval(() => memory.push(memoryOf(pid)), SAMPLE_MS);
  return () => {
    clearInterval(sampling);
    return { cpu: ((cpuOf(pid) - cpu) / (performance.now() - before)) * 1000, memory };
  };
}

async function sample(pid: number, seconds: number): Promise<Use> {
  const stop = startSampling(pid);
  await sleep(seconds * 1000);
  return stop();
}

/** Builds that sleep in a step, compared with a server whose builder is warm but idle. */
export async function runSleeping(tools: Tools, server: Server, seconds: number): Promise<Row[]> {
  const projectId = await server.createProject("sleeping");
  const context = writeContext(join(tools.folder, "sleeping"), SLEEP_DOCKERFILE);
  const open = async () =>
    openThroughPort(tools, server, { context, buildId: await createBuild(server, projectId) });
  // An unused builder would include its start.
  await (await open()).finish();
  await sleep(WARM_MS);
  const rest = await sample(server.pid, seconds);
  const children: ChildProcess[] = [];
  for (let number = 0; number < RUNNING; number += 1) {
    const { client } = await open();
    children.push(await untilItSleeps(client, number));
  }
  await sleep(WARM_MS);
  const running = await sample(server.pid, seconds);
  await Promise.all(children.map(interrupt));
  return describeUse(rest, running);
}

function describeUse(rest: Use, running: Use): Row[] {
  const goal = "at rest: no build";
  const cpu = (running.cpu - rest.cpu) / RUNNING;
  const memory = (median(running.memory) - median(rest.memory)) / RUNNING;
  return [
    {
      name: `CPU of the server, ${RUNNING} sleep`,
      unit: "ms a second",
      plain: [rest.cpu],
      millrace: [running.cpu],
      goal,
    },
    { name: "of it, a running build", unit: "ms a second", millrace: [cpu] },
    {
      name: `memory of the server, ${RUNNING} sleep`,
      unit: "MB",
      plain: rest.memory,
      millrace: running.memory,
      goal,
      digits: 1,
    },
    { name: "of it, a running build", unit: "MB", millrace: [memory] },
  ];
}

async function untilItSleeps(client: Client, number: number): Promise<ChildProcess> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let output = "";
  const child = client.start(["--build-arg", `NUMBER=${number}`], (text) => {
    output = text;
    if (text.includes(`step ${number} begun`)) resolve();
  });
  child.once("close", () => reject(new Error(`A build that should sleep has ended:\n${output}`)));
  await promise;
  return child;
}

/** Like Ctrl-C; the step ends with it. */
async function interrupt(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGINT");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await closed;
  clearTimeout(late);
}

interface Queue {
  projectId: string;
  context: string;
  count: number;
  plain: Client;
}

/** Builds that all arrive at the same time and run as places become free, compared with a plain `buildkitd` that gets as many at a time. */
export async function runQueued(tools: Tools, server: Server, queue: Queue): Promise<Row[]> {
  const { projectId, context, count, plain } = queue;
  const rest = await sample(server.pid, 2);
  const [ids, created]: [string[], number[]] = [[], []];
  for (let number = 0; number < count; number += 1) {
    const before = performance.now();
    ids.push(await createBuild(server, projectId));
    created.push(performance.now() - before);
  }
  const stop = startSampling(server.pid);
  const before = performance.now();
  const states = await Promise.all(
    ids.map(async (buildId) => {
      const open = await openThroughPort(tools, server, { context, buildId });
      await open.client.build();
      return (await open.finish()).state;
    }),
  );
  const seconds = (performance.now() - before) / 1000;
  const used = stop();
  const succeeded = states.filter((state) => state === "succeeded").length;
  const plainSeconds = await buildAll(plain, count);
  return [
    { name: "CreateBuild", unit: "ms", millrace: created },
    {
      name: `${count} builds queued at once, succeeded`,
      unit: "builds",
      plain: [count],
      millrace: [succeeded],
      digits: 0,
    },
    {
      name: "until all have ended",
      unit: "s",
      plain: [plainSeconds],
      millrace: [seconds],
      digits: 1,
    },
    {
      name: "memory of the server meanwhile, most",
      unit: "MB",
      plain: [median(rest.memory)],
      millrace: [Math.max(...used.memory)],
      goal: "at rest: no build",
      digits: 1,
    },
    {
      name: "CPU of the server, a build",
      unit: "ms",
      millrace: [(used.cpu * seconds) / count],
      digits: 0,
    },
  ];
}

async function buildAll(client: Client, count: number): Promise<number> {
  const before = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: RUNNING }, async () => {
      while (left > 0) {
        left -= 1;
        await client.build();
      }
    }),
  );
  return (performance.now() - before) / 1000;
}
