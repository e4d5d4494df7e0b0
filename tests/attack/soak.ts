/** Many ordinary requests and some odd ones, for a long time: what a server keeps of them must not grow. */
import { Agent, request } from "node:http";
import type { Attack, Stage } from "./attack.ts";
import { memoryOf, openDescriptors } from "./memory.ts";
import { clientAddress, inParallel, json, type Sent } from "./requests.ts";
import type { RunningServer } from "./server-process.ts";

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
      const server = await stage.server({ env: { RATE_LIMIT_FACTOR: "0" }, nodeFlags: ["--expose-gc"] });
      const readings: Reading[] = [];
      const statuses = new Map<number, number>();
      const perReading = Math.ceil(requests / READINGS);
      for (let at = 0; at < READINGS; at++) {
        await soakPart(server, at * perReading, perReading, statuses);
        readings.push(await takeReading(server));
        console.log(`           ${(at + 1) * perReading} requests: ${describe(readings.at(-1)!)}`);
      }
      judge(stage, readings, statuses);
    },
  };
}

async function soakPart(
  server: RunningServer,
  first: number,
  count: number,
  statuses: Map<number, number>,
): Promise<void> {
  const agents = Array.from({ length: LANES }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  await inParallel(count, LANES, async (at) => {
    const status = await ask(server.port, agents[at % LANES]!, ordinary(first + at));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  for (const agent of agents) agent.destroy();
}

/** What a busy site is asked for; every text is different. */
function ordinary(number: number): Sent {
  const kind = number % 50;
  if (kind === 0) return { path: `/docs?q=w${number}` };
  if (kind === 1) return { path: `/docs/none/${number}` };
  if (kind === 2) return json("/multi-search", `{"queries":[{"x${number}":1}]}`);
  if (kind === 3) return json("/feedback", { path: "/docs/faq", answer: "maybe", text: `${number}` });
  if (kind < 10) return { path: `/indexes/docs/search?q=w${number}&limit=1` };
  if (kind < 15) return json("/ingest/e/", soakEvent(number));
  if (kind < 35) return { path: "/docs", headers: { accept: "text/html" } };
  if (kind < 40) return { path: "/llms.txt" };
  const query = { indexUid: "docs", q: `cache ${number}`, attributesToHighlight: ["*"] };
  return json("/multi-search", { queries: [query] });
}

function soakEvent(at: number): object {
  return { event: "soak", distinct_id: `reader-${at % 1000}`, properties: { at } };
}

function ask(port: number, agent: Agent, sent: Sent): Promise<number> {
  const { method = "GET", path, body } = sent;
  const headers = {
    ...sent.headers,
    ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
  };
  return new Promise((resolve) => {
    const outgoing = request(
      { host: "127.0.0.1", port, method, path, headers, agent, localAddress: address(agent) },
      (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode ?? 0));
        answer.on("error", () => resolve(0));
      },
    );
    outgoing.on("error", () => resolve(0));
    outgoing.setTimeout(60_000, () => outgoing.destroy());
    outgoing.end(body);
  });
}

const addresses = new WeakMap<Agent, string>();
let addressed = 0;

/** Each connection belongs to another client; only Linux has more than one address. */
function address(agent: Agent): string | undefined {
  if (process.platform !== "linux") return undefined;
  const known = addresses.get(agent) ?? clientAddress(++addressed);
  addresses.set(agent, known);
  return known;
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
  const failures = [...statuses].filter(([status]) => status === 0 || (status >= 500 && status !== 503));
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
