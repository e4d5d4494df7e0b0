/** Many ordinary requests and some odd ones, for a long time: what a server keeps of them must not grow. */
import { Agent } from "node:http";
import type { Attack, Stage } from "./attack.ts";
import { memoryOf, openDescriptors } from "./memory.ts";
import { inParallel } from "./requests.ts";
import type { RunningServer } from "./server-process.ts";
import { type Ask, openMix, SOAK_ENVIRONMENT } from "./soak-mix.ts";

const LANES = 16;
/** Readings, spread evenly over all requests; the first third is the warm-up. */
const READINGS = 30;
/**
 * Allowed growth of the heap after a collection, and of resident memory, from the middle to the last third;
 * in bytes.
 */
const HEAP_GROWTH_BYTES = 16 * 1024 * 1024;
const RESIDENT_GROWTH_BYTES = 64 * 1024 * 1024;
const DESCRIPTOR_GROWTH = 20;

interface Reading {
  heap: number;
  resident: number;
  descriptors: number;
}

export function soakAttack(requests: number): Attack {
  return {
    item: -1,
    name: `a soak of ${requests.toLocaleString("en")} requests`,
    bound: "Memory and open descriptors do not grow with the number of requests that were answered.",
    async run(stage) {
      const server = await stage.server({ env: SOAK_ENVIRONMENT, nodeFlags: ["--expose-gc"] });
      const ask = await openMix(server);
      const readings: Reading[] = [];
      const statuses = new Map<number, number>();
      const perReading = Math.ceil(requests / READINGS);
      for (let at = 0; at < READINGS; at++) {
        await soakPart(ask, at * perReading, perReading, statuses);
        readings.push(await takeReading(server));
        console.log(`           ${(at + 1) * perReading} requests: ${describe(readings.at(-1)!)}`);
      }
      judge(stage, readings, statuses);
    },
  };
}

async function soakPart(
  ask: Ask,
  first: number,
  count: number,
  statuses: Map<number, number>,
): Promise<void> {
  const agents = Array.from({ length: LANES }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  await inParallel(count, LANES, async (at) => {
    const status = await ask(first + at, agents[at % LANES]!);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  for (const agent of agents) agent.destroy();
}

async function takeReading(server: RunningServer): Promise<Reading> {
  await server.probe("collect");
  const { heapBytes } = await server.probe("collect");
  return {
    heap: heapBytes,
    resident: memoryOf(server.pid)?.resident ?? 0,
    descriptors: openDescriptors(server.pid),
  };
}

function describe({ heap, resident, descriptors }: Reading): string {
  const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return `heap ${megabytes(heap)}, resident ${megabytes(resident)}, ${descriptors} descriptors`;
}

/**
 * Growth: the median of the last third minus that of the middle one, so that a single reading does not
 * matter.
 */
function judge(stage: Stage, readings: Reading[], statuses: Map<number, number>): void {
  const third = Math.floor(readings.length / 3);
  const growth = (read: (reading: Reading) => number) =>
    median(readings.slice(2 * third).map(read)) - median(readings.slice(third, 2 * third).map(read));
  const heap = growth((reading) => reading.heap);
  const resident = growth((reading) => reading.resident);
  const descriptors = growth((reading) => reading.descriptors);
  stage.check(heap <= HEAP_GROWTH_BYTES, `the heap grew by ${heap} bytes`);
  stage.check(resident <= RESIDENT_GROWTH_BYTES, `resident memory grew by ${resident} bytes`);
  stage.check(descriptors <= DESCRIPTOR_GROWTH, `${descriptors} more descriptors are open`);
  const failures = [...statuses].filter(
    ([status]) => status === 0 || (status >= 500 && status !== 501 && status !== 503),
  );
  stage.check(
    failures.length === 0,
    `answered ${failures.map(([status, count]) => `${status}: ${count}`).join(", ")}`,
  );
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  stage.report(
    "soak",
    `${counts.join(", ")}; growth: heap ${heap}, resident ${resident} bytes, ${descriptors} descriptors`,
  );
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
