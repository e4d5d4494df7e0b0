/** Before one request is measured, the server has finished what others gave it. */
import { setTimeout as sleep } from "node:timers/promises";
import { send } from "../requests.ts";
import { ADMIN_KEY, type RunningServer } from "../server-process.ts";

/** How long it has to stay without work, and the CPU time that does not count as work. */
const WINDOW_MS = 100;
const IDLE_CPU_MS = 15;
/** After that it is measured nevertheless: the attack looks for what never rests. */
const TIMEOUT_MS = 60_000;

const path = "/search/tasks?statuses=enqueued,processing&limit=1";
const headers = { authorization: `Bearer ${ADMIN_KEY}` };

/** Resolves when no document waits to be indexed and no thread computes. */
export async function untilAtRest(server: RunningServer): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (performance.now() < end && !((await hasNoTask(server)) && (await isIdle(server))));
}

async function hasNoTask({ port }: RunningServer): Promise<boolean> {
  const { status, body } = await send(port, { path, headers });
  if (status !== 200) throw new Error(`/search/tasks: ${status} ${body.toString().slice(0, 200)}`);
  return (JSON.parse(body.toString()) as { total: number }).total === 0;
}

async function isIdle(server: RunningServer): Promise<boolean> {
  await server.probe("reset");
  await sleep(WINDOW_MS);
  return (await server.probe("read")).cpuMs < IDLE_CPU_MS;
}
