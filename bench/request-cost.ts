/**
 * The cost of observing a request: a server with and a server without request ids, access log and metrics, in one process.
 *
 *   node bench/request-cost.ts        rounds alternate; the ratio of medians counts, not the milliseconds
 *
 * A page from memory and a search, over real connections from another thread. The log goes to /dev/null as JSON.
 */
import { openSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, Worker } from "node:worker_threads";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { destination } from "pino";
import { buildIndex } from "#search/index.ts";
import { createSearchRoutes, createSearchStore } from "#search-server/index.ts";
import { createApp, type Observation } from "#server/app.ts";
import { observe } from "#server/operator/observe.ts";
import { createEdge } from "#server/edge.ts";
import { createLog } from "#platform/log/create-log.ts";
import { connectionAddress } from "#platform/http/addresses/client-address.ts";
import { houseOf } from "#server/testing/house.ts";

const REQUESTS = 600;
const AT_ONCE = 8;
const ROUNDS = 7;

interface Asked {
  port: number;
  path: string;
  body?: string;
}

/** Ports of the server with observation and of the server without it. */
interface Ports {
  without: number;
  with: number;
}

// A thread has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
if (parentPort)
  parentPort.on("message", (asked: Asked) => void load(asked).then((ms) => parentPort?.postMessage(ms)));
else await measure();

/** @returns milliseconds for all requests */
async function load({ port, path, body }: Asked): Promise<number> {
  const { Agent } = await import("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const headers = body
        ? { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
        : {};
      const sent = request({ port, path, method: body ? "POST" : "GET", headers, agent }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path} is answered ${answer.statusCode}`));
        answer.resume().once("end", resolve);
      });
      sent.once("error", reject).end(body);
    });
  const started = performance.now();
  let left = REQUESTS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await one();
    }),
  );
  agent.destroy();
  return performance.now() - started;
}

async function measure(): Promise<void> {
  const store = createSearchStore();
  const records = Array.from({ length: 300 }, (_, id) => ({
    id,
    title: `page ${id}`,
    content: `cache layer ${id % 50}`,
  }));
  store.replace("docs", buildIndex(records, { primaryKey: "id" }));
  const ports = { without: await start(store, {}), with: await start(store, createObservation()) };
  const worker = new Worker(new URL(import.meta.url));
  const body = JSON.stringify({ queries: [{ indexUid: "docs", q: "cache", limit: 20 }] });
  await compare("a page from memory", worker, ports, { path: "/page" });
  await compare("a search", worker, ports, { path: "/multi-search", body });
  process.exit();
}

function createObservation(): Observation {
  const log = createLog({
    isPretty: false,
    stream: destination({ fd: openSync("/dev/null", "w"), sync: false }),
    secrets: ["a-secret-of-the-server", "another-secret-of-it"],
  });
  return observe({
    env: { ACCESS_LOG: "private", METRICS_TOKEN: "0123456789abcdef", TRUSTED_PROXIES: [] },
    log,
    addressOf: connectionAddress,
    connections: { isDraining: false, size: 0, unsentBytes: 0 },
    rooms: [],
  });
}

/** @returns the port of a server with one page and one index */
async function start(store: ReturnType<typeof createSearchStore>, observation: Observation): Promise<number> {
  const html = Buffer.from("<p>".padEnd(20_000, "page "));
  const file = { type: "text/html; charset=utf-8", etag: '"1"', cacheControl: "public", identity: html };
  const searchRoutes = createSearchRoutes({
    store,
    publicIndexes: ["docs"],
    limits: { cachedAnswerBytes: 0 },
  });
  const app = createApp(
    houseOf({
      origin: "http://localhost",
      files: new Map([["/page", file]]),
      pathFor: (path) => path,
      searchRoutes,
      telemetry: { app: new Hono() },
      render: () => Promise.resolve(new Response(null, { status: 404 })),
    }),
    createEdge({ rateLimitFactor: 0 }),
    observation,
  );
  const listener = getRequestListener(app.fetch);
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // It listens on a port, so the address is an AddressInfo.
  return (server.address() as AddressInfo).port;
}

/** Prints the medians of all rounds and their ratio. */
async function compare(
  name: string,
  worker: Worker,
  ports: Ports,
  asked: Omit<Asked, "port">,
): Promise<void> {
  const seen: { [which in keyof Ports]: number[] } = { without: [], with: [] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const which of ["without", "with"] as const) {
      const us = await cpuOf(worker, { port: ports[which], ...asked });
      // The first round warms up.
      if (round > 0) seen[which].push(us);
    }
  const [without, withIt] = [median(seen.without), median(seen.with)];
  console.log(
    `${name}: ${without.toFixed(0)} µs of CPU without, ${withIt.toFixed(0)} µs with: ratio ${(withIt / without).toFixed(3)}`,
  );
}

/** @returns microseconds of this thread for one request */
async function cpuOf(worker: Worker, asked: Asked): Promise<number> {
  const before = process.threadCpuUsage();
  worker.postMessage(asked);
  await new Promise((resolve) => worker.once("message", resolve));
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / REQUESTS;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
