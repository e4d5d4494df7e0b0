/** The cost of a run of requests to the server: CPU of its processes, from Linux; times as the client sees them. */
import { readdirSync, readFileSync } from "node:fs";

const TICK_US = 10_000;
const PAGE_BYTES = 4096;

/** The process and its children. */
function processesOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(processesOf)];
}

function cpuOf(pid: number): number {
  return processesOf(pid).reduce((sum, each) => {
    const fields = readFileSync(`/proc/${each}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_US;
  }, 0);
}

/** Resident memory, without pages that are only mapped from files. */
export function memoryOf(pid: number): number {
  return processesOf(pid).reduce((sum, each) => {
    const [, resident, shared] = readFileSync(`/proc/${each}/statm`, "utf8").split(" ").map(Number);
    return sum + ((resident ?? 0) - (shared ?? 0)) * PAGE_BYTES;
  }, 0);
}

export interface Figures {
  requests: number;
  perSecond: number;
  megabytesPerSecond: number;
  cpuUs: number;
  p99Ms: number;
}

export interface Load {
  pid: number;
  connections: number;
  /** Ends the run; requests that have begun are finished. */
  seconds: number;
  /** At most this many. */
  requests?: number;
}

const WARM_UP_SECONDS = 0.5;

async function warmUp(clients: readonly { send: () => Promise<number> }[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    clients.map(async ({ send }) => {
      do await send();
      while (performance.now() < end);
    }),
  );
}

/** One request after the other on each connection. @param open returns a function that makes one request and returns its bytes */
export async function measure(
  { pid, connections, seconds, requests = Number.POSITIVE_INFINITY }: Load,
  open: (index: number) => Promise<{ send: () => Promise<number>; close: () => void }>,
): Promise<Figures> {
  const clients = await Promise.all(Array.from({ length: connections }, (_, index) => open(index)));
  // The cold start of the first requests is not measured.
  await warmUp(clients, Math.min(seconds, WARM_UP_SECONDS));
  const times: number[] = [];
  let bytes = 0;
  let begun = 0;
  const [startCpu, start] = [cpuOf(pid), performance.now()];
  const end = start + seconds * 1000;
  await Promise.all(
    clients.map(async ({ send }) => {
      while (begun < requests && performance.now() < end) {
        begun += 1;
        const at = performance.now();
        const sent = await send();
        bytes += sent;
        times.push(performance.now() - at);
      }
    }),
  );
  const elapsed = (performance.now() - start) / 1000;
  const cpu = cpuOf(pid) - startCpu;
  for (const client of clients) client.close();
  const sorted = Float64Array.from(times).toSorted();
  return {
    requests: times.length,
    perSecond: times.length / elapsed,
    megabytesPerSecond: bytes / 1e6 / elapsed,
    cpuUs: cpu / times.length,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
}
