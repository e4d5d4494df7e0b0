/**
 * 1. However many slow connections there are, a new client is answered; there are never more than the limit.
 * 2. Places are lost in this order: the connection idle for longest, the one waiting longest with an
 *    incomplete request, a reader that takes nothing. A connection that is being answered keeps its place; if all are, the
 *    newcomer gets 503.
 * 3. Each client has its own limit and loses only its own places; so does each network, with half of all as its limit; a network
 *    with more than a quarter loses places first. Proxies are exempt.
 * 4. Requests sent ahead and header lines are bounded.
 * 5. Answers that wait for readers are bounded in total and per client; shared answers do not count; readers that take nothing
 *    are cut, slow readers are not.
 * 6. Draining ends idle and silent connections immediately and the others after their answers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context } from "hono";
import { afterEach, expect, test, vi } from "vitest";
import type { ConnectionLimits } from "./connection-limits.ts";
import { guardConnections } from "./connections.ts";
import { connectRaw, get } from "../raw-client.ts";
import { markShared } from "./unsent-answers.ts";

const roomy: ConnectionLimits = {
  connections: 100,
  connectionsPerAddress: 100,
  requests: 1000,
  requestsPerAddress: 1000,
  streamsPerConnection: 100,
  requestsPerConnection: 1000,
  pipelinedRequests: 10,
  headerLines: 50,
  headerBytes: 10_000,
  unsentBytes: 1e6,
  unsentBytesPerAddress: 1e6,
  stalledMs: 1000,
  unreadMs: 10_000,
  requestMs: 100_000,
  uploadMs: 100_000,
  uploadBytes: 1000,
  uploadWindowMs: 100_000,
  idleMs: 50_000,
  silenceMs: 20_000,
  closingMs: 1000,
};

const cleanUps: (() => void)[] = [];
afterEach(() => cleanUps.splice(0).forEach((cleanUp) => cleanUp()));

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  context: Context;
}

/** Answers `/` immediately; other requests wait in `asked` for the test. */
async function start(limits: Partial<ConnectionLimits>, isExempt?: (address: string) => boolean) {
  const server = createServer();
  let now = 0;
  const guard = guardConnections(server, {
    limits: { ...roomy, ...limits },
    clock: () => now,
    ...(isExempt && { isExempt }),
  });
  const asked = new Map<string, Asked>();
  server.on("request", (request, response) => {
    if (!guard.admit(request, response)) return;
    // Only the parts of a context that are read.
    const context = { env: { incoming: request, outgoing: response } } as unknown as Context;
    if (request.url === "/") response.end("home");
    else asked.set(request.url ?? "", { request, response, context });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(() => (server.close(), server.closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  const isAsked = (path: string) => vi.waitUntil(() => asked.get(path), { interval: 1 });
  return { server, guard, asked, isAsked, port, wait: (milliseconds: number) => void (now += milliseconds) };
}

const slow = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

test("1. slow connections", async () => {
  const { guard, port } = await start({ connections: 20 });
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(Array.from({ length: 30 }, () => connectRaw(port, slow)));
    const newcomer = await connectRaw(port, get("/"));
    expect(await newcomer.until("home")).toMatch(/^HTTP\/1\.1 200 /);
    expect(guard.size).toBeLessThanOrEqual(20);
  }
});

test("2. the order", async () => {
  const { guard, port, isAsked, wait } = await start({ connections: 4 });
  const answering = await connectRaw(port, get("/work"));
  await isAsked("/work");
  const receiving = await connectRaw(
    port,
    "POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n12",
  );
  await isAsked("/upload");
  const reader = await connectRaw(port, get("/large"));
  (await isAsked("/large")).response.end(Buffer.alloc(30_000_000));
  const idle = await connectRaw(port, get("/"));
  await idle.until("home");

  const first = await connectRaw(port, get("/first"));
  await isAsked("/first");
  expect(idle.socket.destroyed || (await idle.ended())).toBeTruthy();

  const second = await connectRaw(port, get("/second"));
  await isAsked("/second");
  await receiving.ended();

  // The reader has not yet stalled for long enough.
  const third = await connectRaw(port, get("/third"));
  expect(await third.ended()).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 5\r\n/);
  wait(5000);
  const fourth = await connectRaw(port, get("/fourth"));
  await isAsked("/fourth");
  await reader.ended();
  expect(guard.size).toBe(4);
  for (const client of [answering, first, second, fourth]) expect(client.socket.destroyed).toBe(false);
  (await isAsked("/work")).response.end("worked");
  expect(await answering.until("worked")).toMatch(/^HTTP\/1\.1 200 /);
});

test("2. a body that has come whole makes the connection one that is answered", async () => {
  const { port, isAsked } = await start({ connections: 1 });
  const whole = await connectRaw(
    port,
    "POST /whole HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n12",
  );
  const { request, response } = await isAsked("/whole");
  await vi.waitUntil(() => request.complete, { interval: 1 });
  expect(await (await connectRaw(port, get("/"))).ended()).toContain("503");
  response.end("done");
  expect(await whole.until("done")).toContain("200 OK");
});

test("3. one client", async () => {
  const limits = { connections: 10, connectionsPerAddress: 3 };
  const { guard, port, isAsked } = await start(limits, (address) => address === "127.0.0.3");
  const other = await connectRaw(port, slow, { from: "127.0.0.2" });
  const busy = await connectRaw(port, get("/busy"));
  await isAsked("/busy");
  const first = await connectRaw(port, slow);
  const rest = [await connectRaw(port, slow), await connectRaw(port, slow)];
  await first.ended();
  for (const kept of [other, busy, ...rest]) expect(kept.socket.destroyed).toBe(false);
  const proxied = await Promise.all(
    Array.from({ length: 6 }, () => connectRaw(port, slow, { from: "127.0.0.3" })),
  );
  await vi.waitUntil(() => guard.size === 10, { interval: 1 });
  for (const kept of proxied) expect(kept.socket.destroyed).toBe(false);
});

test("3. one network", async () => {
  const { guard, port } = await start({ connections: 20, connectionsPerAddress: 3 });
  const opened = (count: number, network: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        connectRaw(port, slow, { from: `127.0.${network}.${at + 1}` }),
      ),
    );
  const isOpen = ({ socket }: { socket: { destroyed: boolean } }) => !socket.destroyed;
  const others = await opened(4, 1);
  const first = await opened(10, 2);
  await vi.waitUntil(() => guard.size === 14, { interval: 1 });
  // The network's own oldest connection makes room.
  const eleventh = await opened(1, 2);
  await first[0]!.ended();
  expect(guard.size).toBe(14);
  const second = await opened(6, 3);
  await vi.waitUntil(() => guard.size === 20, { interval: 1 });
  // All places are taken, and the largest network makes room although others have waited for longer.
  const newcomer = await connectRaw(port, get("/"), { from: "127.0.4.1" });
  expect(await newcomer.until("home")).toContain("200 OK");
  await first[1]!.ended();
  for (const kept of [...others, ...second, ...eleventh]) expect(isOpen(kept)).toBe(true);
});

test("4. sent ahead, and headers", async () => {
  const { port, asked } = await start({ pipelinedRequests: 3, headerLines: 5 });
  const ahead = await connectRaw(port, ["/a", "/b", "/c", "/d", "/e"].map((path) => get(path)).join(""));
  await vi.waitUntil(() => asked.size === 3, { interval: 1 });
  for (const { response } of asked.values()) response.end();
  expect((await ahead.ended()).match(/HTTP\/1\.1 \d+/g)).toEqual([
    ...Array.from({ length: 3 }, () => "HTTP/1.1 200"),
    "HTTP/1.1 503",
  ]);
  expect([...asked.keys()]).toEqual(["/a", "/b", "/c"]);
  const lines = Array.from({ length: 10 }, (_, at) => `X-${at}: 1`);
  expect(await (await connectRaw(port, get("/", ...lines))).ended()).toMatch(/^HTTP\/1\.1 431 /);
});

test("5. answers that wait", async () => {
  const limits = { unsentBytes: 50_000_000, unsentBytesPerAddress: 20_000_000 };
  const { guard, port, isAsked, wait } = await start(limits);
  const ask = async (path: string, from: string) => {
    const client = await connectRaw(port, get(path), { from });
    return { client, ...(await isAsked(path)) };
  };
  const shared = await ask("/shared", "127.0.2.1");
  markShared(shared.context);
  shared.response.end(Buffer.alloc(40_000_000));
  wait(20);
  expect([guard.unsentBytes, guard.hasRoomFor(shared.context)]).toEqual([0, true]);

  const greedy = await ask("/greedy", "127.0.3.1");
  greedy.response.end("a".repeat(30_000_000));
  wait(20);
  expect(guard.hasRoomFor(greedy.context)).toBe(false);
  expect(guard.hasRoomFor(shared.context)).toBe(true);

  const steady = await ask("/steady", "127.0.4.1");
  steady.response.end("b".repeat(30_000_000));
  wait(20);
  expect(guard.hasRoomFor(shared.context)).toBe(false);
  const before = guard.unsentBytes;
  expect(before).toBeGreaterThan(50_000_000);
  // One of the two keeps reading.
  wait(1500);
  let taken = 0;
  steady.client.socket.on("data", (chunk: Buffer) => (taken += chunk.length));
  await vi.waitUntil(() => (wait(20), guard.hasRoomFor(shared.context)), { interval: 1 });
  await greedy.client.ended();
  await vi.waitUntil(() => taken > 30_000_000, { interval: 1 });
  await vi.waitUntil(() => (wait(20), guard.unsentBytes === 0), { interval: 1 });
});

test("5. a reader that only sends", async () => {
  const { guard, port, isAsked, wait } = await start({});
  const client = await connectRaw(port, get("/large"));
  (await isAsked("/large")).response.end(Buffer.alloc(30_000_000));
  const answering = await connectRaw(port, get("/work"));
  await isAsked("/work");
  guard.sweep();
  for (let second = 0; second < 12; second += 1) {
    client.socket.write(get("/"));
    wait(1000);
    guard.sweep();
  }
  await client.ended();
  expect([guard.size, answering.socket.destroyed]).toEqual([1, false]);
});

test("6. draining", async () => {
  const { server, guard, port, isAsked } = await start({});
  const silent = await connectRaw(port);
  const idle = await connectRaw(port, get("/"));
  await idle.until("home");
  const working = await connectRaw(port, get("/work"));
  const { response } = await isAsked("/work");
  const begun = await connectRaw(port, get("/begun"));
  const second = await isAsked("/begun");
  second.response.writeHead(200, { "Content-Length": "4" }).write("be");
  await begun.until("be");
  await vi.waitUntil(() => guard.size === 4, { interval: 1 });
  const ended = new Promise((resolve) => server.close(resolve));
  guard.drain();
  expect(guard.isDraining).toBe(true);
  expect([await silent.ended(), await idle.ended()]).toEqual(["", expect.stringContaining("home")]);
  response.end("worked");
  const text = await working.ended();
  expect(text).toContain("Connection: close");
  expect(text).toContain("worked");
  second.response.end("gu");
  expect(await begun.ended()).toMatch(/begu$/);
  await ended;
});
