/**
 * The connection guard (`connections.test.ts`) with HTTP/2 sessions:
 * 1. Sessions lose their places in this order: idle sessions, those with incomplete requests, those whose answers are not taken.
 *    A session that is being answered keeps its place, whatever else is on it.
 * 2. Concurrent requests are bounded in total and per client; beyond the total, the session that holds up the most loses its
 *    requests; after a number of requests a session ends, and its last answers still arrive.
 * 3. An answer whose reader gives it no window is counted, and reset after a while, whatever else the session
 *    sends and reads; a slowly read answer arrives whole. A session that reads nothing at all is cut. Nothing is left of an
 *    answer that its reader cancels, whatever the error code.
 * 4. An idle session ends in spite of its pings, an incomplete request is reset, and a silent client is
 *    pinged, then cut if it does not reply.
 * 5. Draining: sessions are notified (GOAWAY), answers in flight arrive, new requests are refused, and connections that clients
 *    do not close are closed.
 */
import type { Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import type { Context } from "hono";
import { afterEach, expect, test, vi } from "vitest";
import type { AnyRequest, AnyResponse } from "#platform/http/connections/connection.ts";
import type { ConnectionLimits } from "#platform/http/connections/connection-limits.ts";
import { guardConnections } from "#platform/http/connections/connections.ts";
import {
  ACK,
  connectFrames,
  END_STREAM,
  frame,
  goawayCodes,
  type RawSession,
  request,
  reset,
  settings,
  TYPE,
  upload,
  windowUpdate,
} from "#platform/http/raw-frames.ts";
import { markShared } from "#platform/http/connections/unsent-answers.ts";
import { connectionLimits } from "../limits.ts";
import { ProtocolServer } from "./protocols.ts";

const cleanUps: (() => void)[] = [];
afterEach(() => cleanUps.splice(0).forEach((cleanUp) => cleanUp()));

interface Asked {
  request: AnyRequest;
  response: AnyResponse;
  context: Context;
}

/** Answers `/` immediately; other requests wait in `asked` for the test. */
async function start(limits: Partial<ConnectionLimits> = {}) {
  const server = new ProtocolServer();
  let now = 0;
  const guard = guardConnections(server, {
    limits: { ...connectionLimits(4096, 20), ...limits },
    clock: () => now,
  });
  server.onCarrier("session", guard.begin);
  const asked = new Map<string, Asked>();
  server.http2.on("request", (request, response) => {
    if (!guard.admit(request, response)) return;
    // Only the parts of a context that are read.
    const context = { env: { incoming: request, outgoing: response } } as unknown as Context;
    if (request.url === "/") response.end("home");
    else asked.set(request.url, { request, response, context });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  const isAsked = (path: string) => vi.waitUntil(() => asked.get(path), { interval: 1 });
  const ask = async (session: RawSession, stream: number, path: string) => {
    session.send(path.startsWith("/upload") ? upload(stream, path) : request(stream, path));
    return isAsked(path);
  };
  const wait = (milliseconds: number) => void (now += milliseconds);
  return { server, guard, asked, port, ask, wait };
}

const isEnd = (stream: number) => (each: { type: number; stream: number; flags: number }) =>
  each.stream === stream && each.type === TYPE.data && (each.flags & END_STREAM) !== 0;
const isReset = (stream: number) => (each: { type: number; stream: number }) =>
  each.type === TYPE.reset && each.stream === stream;
const isGoaway = ({ type }: { type: number }) => type === TYPE.goaway;
const ping = frame(TYPE.ping, 0, 0, Buffer.alloc(8));
/** A client that takes nothing of an answer but reads everything else. */
const NO_WINDOW = { 4: 0 };

async function home(session: RawSession, stream: number): Promise<void> {
  session.send(request(stream, "/"));
  await session.until(isEnd(stream));
}

test("1. the order", async () => {
  const { guard, port, ask, wait } = await start({ connections: 5 });
  const busy = await connectFrames(port);
  const work = await ask(busy, 1, "/work");
  const mixed = await connectFrames(port);
  const mixedWork = await ask(mixed, 1, "/mixed");
  await ask(mixed, 3, "/upload-mixed");
  const uploading = await connectFrames(port);
  await ask(uploading, 1, "/upload");
  const reader = await connectFrames(port, { values: NO_WINDOW });
  (await ask(reader, 1, "/large")).response.end(Buffer.alloc(100_000));
  const idle = await connectFrames(port);
  await home(idle, 1);

  const enter = async (path: string) => {
    const session = await connectFrames(port);
    await ask(session, 1, path);
    return session;
  };
  const first = await enter("/first");
  await idle.ended();
  const second = await enter("/second");
  await uploading.ended();
  // It has not stalled for long enough, so the next client is told to retry.
  const third = await connectFrames(port);
  expect(await third.ended()).toMatch(/^HTTP\/1\.1 503 /);
  wait(5000);
  const fourth = await enter("/fourth");
  await reader.ended();
  // Only its upload is left.
  mixedWork.response.end("done");
  await mixed.until(isEnd(1));
  const fifth = await enter("/fifth");
  await mixed.ended();
  for (const session of [busy, first, second, fourth, fifth]) expect(session.socket.destroyed).toBe(false);
  work.response.end("worked");
  await busy.until(isEnd(1));
  expect(guard.size).toBe(5);
});

test("2. requests at once", async () => {
  for (const limits of [{ requests: 3 }, { requestsPerAddress: 3 }]) {
    const { guard, port, ask } = await start(limits);
    const [first, second] = [await connectFrames(port), await connectFrames(port)];
    await ask(first, 1, "/1");
    const { response } = await ask(first, 3, "/2");
    await ask(second, 1, "/3");
    second.send(upload(3, "/upload"));
    // It is refused without waiting for its body.
    await second.until(isReset(3));
    expect(guard.requests).toBe(3);
    response.end("done");
    await first.until(isEnd(3));
    await ask(second, 5, "/4");
  }
});

test("2. requests that are held up", async () => {
  const { guard, port, ask, wait } = await start({ requests: 6 });
  const busy = await connectFrames(port);
  const { response } = await ask(busy, 1, "/work");
  const uploading = await connectFrames(port);
  for (const [at, stream] of [1, 3].entries()) await ask(uploading, stream, `/upload-${at}`);
  const reader = await connectFrames(port, { values: NO_WINDOW });
  for (const [at, stream] of [1, 3, 5].entries())
    (await ask(reader, stream, `/large-${at}`)).response.end(Buffer.alloc(100_000));
  // Nothing is stalled yet: the uploading session holds up the most.
  const newcomer = await connectFrames(port);
  await ask(newcomer, 1, "/first");
  await uploading.ended();
  wait(5000);
  await ask(newcomer, 3, "/second");
  expect(guard.requests).toBe(6);
  await ask(newcomer, 5, "/third");
  await reader.ended();
  expect(guard.requests).toBe(4);
  response.end("worked");
  await busy.until(isEnd(1));
});

test("2. a server that is full before anything counts as stalled", async () => {
  const { guard, port, ask, wait } = await start({ requests: 4 });
  const busy = await connectFrames(port);
  const { response } = await ask(busy, 1, "/work");
  const reader = await connectFrames(port, { values: NO_WINDOW });
  for (const [at, stream] of [1, 3, 5].entries())
    (await ask(reader, stream, `/large-${at}`)).response.end(Buffer.alloc(100_000));
  // The minimum time between two measurements of waiting bytes.
  wait(20);
  const newcomer = await connectFrames(port);
  await ask(newcomer, 1, "/first");
  await reader.ended();
  expect(guard.requests).toBe(2);
  response.end("worked");
  await busy.until(isEnd(1));
});

test("2. requests of one session", async () => {
  const { port, ask } = await start({ requestsPerConnection: 3 });
  const session = await connectFrames(port);
  const { response } = await ask(session, 1, "/work");
  await home(session, 3);
  session.send(request(5, "/"), request(7, "/"));
  await session.until(isGoaway);
  await session.until(isEnd(5));
  response.end("worked");
  await session.until(isEnd(1));
  expect(new Set(goawayCodes(await session.ended()))).toEqual(new Set([0]));
});

test("3. no window", async () => {
  const { guard, port, ask, wait } = await start({ unsentBytes: 250_000, unsentBytesPerAddress: 250_000 });
  const session = await connectFrames(port, { values: NO_WINDOW });
  const shared = await ask(session, 1, "/shared");
  markShared(shared.context);
  shared.response.end(Buffer.alloc(200_000));
  wait(20);
  expect([guard.unsentBytes, guard.hasRoomFor(shared.context)]).toEqual([0, true]);
  const held = await ask(session, 3, "/held");
  held.response.end("a".repeat(200_000));
  const slow = await ask(session, 5, "/slow");
  slow.response.end("b".repeat(200_000));
  wait(20);
  expect([guard.hasRoomFor(held.context), guard.unsentBytes]).toEqual([false, 400_000]);

  // The session pings, asks for more, gets it, and takes one of the answers bit by bit.
  const length = () =>
    session
      .frames()
      .filter(({ stream, type }) => stream === 5 && type === TYPE.data)
      .reduce((sum, { payload }) => sum + payload.length, 0);
  for (let step = 0; step < 12; step += 1) {
    session.send(ping, windowUpdate(0, 20_000), windowUpdate(5, 20_000));
    await vi.waitUntil(() => length() === Math.min(200_000, 20_000 * (step + 1)), { interval: 1 });
    wait(5000);
    guard.sweep();
  }
  await session.until(isReset(3));
  await session.until(isEnd(5));
  expect(session.frames().some(isReset(5))).toBe(false);
  wait(20);
  expect([guard.unsentBytes, guard.requests, session.socket.destroyed]).toEqual([0, 0, false]);
});

test("3. taken back without an error", async () => {
  const { guard, port, ask, wait } = await start();
  const session = await connectFrames(port, { values: NO_WINDOW });
  const { response } = await ask(session, 1, "/held");
  const closed = vi.fn();
  response.once("close", closed);
  response.end(Buffer.alloc(100_000));
  const { response: unanswered } = await ask(session, 3, "/later");
  unanswered.once("close", closed);
  // The server's own end of a stream whose answer is still being taken does not count.
  const { response: own } = await ask(session, 5, "/upload-own");
  own.end(Buffer.alloc(100_000));
  (own as Http2ServerResponse).stream.close(0);
  wait(20);
  expect([guard.unsentBytes, guard.requests]).toEqual([200_000, 3]);
  session.send(reset(1, 0), reset(3, 0));
  await vi.waitUntil(() => (guard.sweep(), closed.mock.calls.length === 2), { interval: 5 });
  wait(20);
  expect([guard.unsentBytes, guard.requests, session.socket.destroyed]).toEqual([100_000, 1, false]);
  session.send(windowUpdate(0, 100_000), windowUpdate(5, 100_000));
  await session.until((each) => isEnd(5)(each) || isReset(5)(each));
  const sent = session.frames().filter(({ stream, type }) => stream === 5 && type === TYPE.data);
  expect(sent.reduce((sum, { payload }) => sum + payload.length, 0)).toBe(100_000);
});

test("3. a session that reads nothing", async () => {
  const { guard, port, ask, wait } = await start();
  const session = await connectFrames(port, { values: { 4: 2 ** 31 - 1 } });
  session.socket.pause();
  session.send(windowUpdate(0, 2 ** 30));
  (await ask(session, 1, "/large")).response.end(Buffer.alloc(30_000_000));
  const isBlocked = () => (wait(20), guard.unsentBytes > 0);
  await vi.waitUntil(isBlocked, { interval: 1 });
  const other = await connectFrames(port);
  await ask(other, 1, "/work");
  const isCut = () => {
    session.send(ping);
    wait(3000);
    guard.sweep();
    return guard.size === 1;
  };
  await vi.waitUntil(isCut, { interval: 5 });
  expect(other.socket.destroyed).toBe(false);
});

test("4. idle", async () => {
  const { guard, port, wait } = await start({ idleMs: 1000, closingMs: 100 });
  const never = await connectFrames(port);
  await never.until(({ type }) => type === TYPE.settings);
  const once = await connectFrames(port);
  await home(once, 1);
  for (let at = 0; at < 3; at += 1) {
    wait(400);
    for (const session of [never, once]) session.send(ping);
    await once.until(({ type, flags }) => type === TYPE.ping && flags === ACK);
    guard.sweep();
  }
  expect(new Set(goawayCodes(await never.ended()))).toEqual(new Set([0]));
  expect(new Set(goawayCodes(await once.ended()))).toEqual(new Set([0]));
});

test("4. slow bodies", async () => {
  const { guard, port, ask, wait } = await start({ requestMs: 1000 });
  const session = await connectFrames(port);
  await ask(session, 1, "/upload");
  const work = await ask(session, 3, "/work");
  for (let at = 0; at < 3; at += 1) {
    session.send(frame(TYPE.data, 0, 1, Buffer.from("x")));
    wait(400);
    guard.sweep();
  }
  await session.until(isReset(1));
  // A request that has arrived is not limited by the time for sending one.
  work.response.end("worked");
  await session.until(isEnd(3));
});

test("4. silence", async () => {
  const { guard, port, ask, wait } = await start({ silenceMs: 1000, requestMs: 100_000 });
  const [alive, gone] = [await connectFrames(port), await connectFrames(port)];
  const { response } = await ask(alive, 1, "/alive");
  await ask(gone, 1, "/gone");
  // Earlier bytes are read first.
  guard.sweep();
  const pings = (flags: number) =>
    alive.frames().filter((each) => each.type === TYPE.ping && each.flags === flags).length;
  for (let round = 1; round <= 3; round += 1) {
    wait(1200);
    guard.sweep();
    await alive.until(() => pings(0) === round);
    // With a ping of its own, whose reply shows that the server has read both.
    alive.send(frame(TYPE.ping, ACK, 0, Buffer.alloc(8)), ping);
    await alive.until(() => pings(ACK) === round);
    guard.sweep();
  }
  await gone.ended();
  response.end("still there");
  await alive.until(isEnd(1));
});

test("5. draining", async () => {
  const { server, guard, port, ask, wait } = await start({ closingMs: 1000 });
  const idle = await connectFrames(port);
  await home(idle, 1);
  const busy = await connectFrames(port);
  const { response } = await ask(busy, 1, "/work");
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  guard.drain();
  await idle.ended();
  await busy.until(isGoaway);
  busy.send(request(3, "/late"));
  await busy.until((each) => isReset(3)(each) || isGoaway(each));
  busy.send(settings());
  response.end("worked");
  const frames = await busy.until(isEnd(1));
  expect(frames.some(({ payload }) => payload.toString() === "worked")).toBe(true);
  expect(frames.some(isEnd(3))).toBe(false);
  wait(1500);
  guard.sweep();
  await ended;
});
