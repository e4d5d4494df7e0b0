/**
 * Attacks of one hostile HTTP/2 session, frame by frame, on a server with production limits. After each attack the server holds
 * nothing, has logged nothing, and answers the next client:
 * 1. Streams beyond 100 at a time are refused, and the others are answered.
 * 2. Too many or too long header lines never reach a handler, nor do endless header blocks.
 * 3. A client that keeps opening and resetting streams (rapid reset) is cut off with ENHANCE_YOUR_CALM before more of them reach
 *    the application than an abandoned page would cause: in one packet or several, in clear text and TLS, with any error code,
 *    after data, and where the requests are refused. A client that makes the server reset is also cut off.
 * 4. A client that sends settings, pings, empty frames or invalid frames and reads nothing is also cut off.
 * 5. Bytes that are not frames end the connection.
 * 6. A slow, broken or silent TLS handshake ends in time, and so does a connection without a first byte.
 */
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import type { AnyRequest, AnyResponse } from "#platform/http/connections/connection.ts";
import { connectRaw, get } from "#platform/http/raw-client.ts";
import {
  connectFrames,
  END_HEADERS,
  END_STREAM,
  frame,
  goawayCodes,
  headerBlock,
  PREFACE,
  request,
  requestLines,
  reset,
  settings,
  TYPE,
  upload,
} from "#platform/http/raw-frames.ts";
import { STRANGERS } from "#platform/http/connections/stream-resets.ts";
import { openCertificate } from "./certificate.ts";
import { createGuardedServer, type GuardedServerOptions } from "./guarded-server.ts";
import { makeCertificate } from "../testing/tools.ts";

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  vi.restoreAllMocks();
});

/** Answers only `/`. */
async function start(options: GuardedServerOptions = {}) {
  const logged = (["error", "warn", "info", "log"] as const).map((level) => vi.spyOn(console, level));
  const { server, connections } = createGuardedServer(options);
  const paths: string[] = [];
  const waiting: AnyResponse[] = [];
  const onRequest = (request: AnyRequest, response: AnyResponse) => {
    if (!connections.admit(request, response)) return;
    paths.push(request.url ?? "");
    if (request.url === "/") response.end("home");
    else waiting.push(response);
  };
  server.http1.on("request", onRequest);
  server.http2.on("request", onRequest);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  const isOver = async () => {
    await vi.waitUntil(() => connections.requests + connections.size === 0, { interval: 2, timeout: 10_000 });
    if (!options.certificate) {
      const next = await connectFrames(port);
      next.send(request(1, "/"));
      const frames = await next.until(({ type }) => type === TYPE.data);
      expect(frames.some(({ payload }) => payload.toString() === "home")).toBe(true);
      next.socket.destroy();
    }
    for (const level of logged) expect(level).not.toHaveBeenCalled();
  };
  return { server, connections, port, paths, waiting, isOver };
}

const ids = (count: number) => Array.from({ length: count }, (_, at) => 2 * at + 1);

test("1. streams at once", async () => {
  const { port, paths, waiting, isOver } = await start();
  const session = await connectFrames(port);
  await session.until(({ type }) => type === TYPE.settings);
  session.send(settings(), ...ids(150).map((id) => request(id, "/wait")));
  const refusedCount = () => session.frames().filter(({ type }) => type === TYPE.reset).length;
  session.socket.on("data", () => {});
  await vi.waitUntil(() => refusedCount() === 50, { interval: 2 });
  expect(paths).toHaveLength(100);
  for (const response of waiting) response.end("done");
  await session.until(
    ({ stream, flags, type }) => type === TYPE.data && stream === 199 && flags === END_STREAM,
  );
  session.socket.destroy();
  await isOver();
});

test("2. headers", async () => {
  const { port, paths, isOver } = await start();
  const lines = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`x-${at}`, "1"]));
  const tooMany = await connectFrames(port);
  tooMany.send(request(1, "/wait", lines));
  await tooMany.until(({ type }) => type === TYPE.reset || type === TYPE.goaway);
  tooMany.socket.destroy();

  const tooLong = await connectFrames(port);
  const block = headerBlock(requestLines("/wait", { "x-long": "a".repeat(30_000) }));
  tooLong.send(
    frame(TYPE.headers, END_STREAM, 1, block.subarray(0, 16_000)),
    frame(TYPE.continuation, END_HEADERS, 1, block.subarray(16_000)),
  );
  await tooLong.until(({ type }) => type === TYPE.headers);
  tooLong.socket.destroy();

  const endless = await connectFrames(port);
  endless.send(frame(TYPE.headers, 0, 1, headerBlock(requestLines("/wait"))));
  const more = frame(TYPE.continuation, 0, 1, headerBlock({ "x-more": "a".repeat(1000) }));
  for (let at = 0; at < 1000 && !endless.socket.destroyed; at += 1) endless.send(more);
  await endless.ended();
  expect(paths).toEqual([]);
  await isOver();
});

const [NO_ERROR, INTERNAL_ERROR, ENHANCE_YOUR_CALM] = [0, 2, 11];
/** Together with the request's own four lines. */
const lines = Object.fromEntries(Array.from({ length: 98 }, (_, at) => [`x-${at}`, "1"]));
/** More data than announced (RFC 9113, 8.1.1): the server must close the stream. */
const overfull = (id: number) => [
  frame(
    TYPE.headers,
    END_HEADERS,
    id,
    headerBlock(requestLines("/wait", { ":method": "POST", "content-length": "1" })),
  ),
  frame(TYPE.data, 0, id, Buffer.from("too much")),
];
const many = Object.fromEntries(Array.from({ length: 110 }, (_, at) => [`x-${at}`, "1"]));
/** With the final error code, and the number of bursts that reach the application. */
const rapid: [string, (id: number) => Buffer[], number, number][] = [
  ["cancelled", (id) => [request(id, "/wait"), reset(id)], ENHANCE_YOUR_CALM, 1],
  ["without an error", (id) => [request(id, "/wait"), reset(id, NO_ERROR)], ENHANCE_YOUR_CALM, 1],
  ["answered at once", (id) => [request(id, "/"), reset(id)], ENHANCE_YOUR_CALM, 1],
  [
    "after data",
    (id) => [upload(id, "/wait"), frame(TYPE.data, 0, id, Buffer.from("x")), reset(id)],
    ENHANCE_YOUR_CALM,
    1,
  ],
  ["refused", (id) => [request(id, "/wait", lines), reset(id)], ENHANCE_YOUR_CALM, 0],
  // Counted by Node.
  ["refused before", (id) => [request(id, "/wait", many), reset(id)], INTERNAL_ERROR, 0],
  ["closed by the server", overfull, INTERNAL_ERROR, 1],
];

for (const isTls of [false, true])
  test.each(rapid)(
    `3. rapid reset, ${isTls ? "TLS" : "clear text"}, %s`,
    async (_name, make, code, bursts) => {
      const files = makeCertificate();
      const certificate = isTls ? openCertificate(files) : undefined;
      const { port, paths, isOver } = await start({ ...(certificate && { certificate }) });
      for (const isOnePacket of [true, false]) {
        paths.length = 0;
        const session = await connectFrames(port, { ca: isTls ? readFileSync(files.certFile) : undefined });
        const frames = ids(3000).map((id) => Buffer.concat(make(id)));
        if (isOnePacket) session.send(...frames);
        else
          for (const [at, each] of frames.entries()) {
            if (session.socket.destroyed) break;
            session.send(each);
            if (at % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
          }
        // A client that is still sending when the connection is cut may not see the reason.
        expect(goawayCodes(await session.ended()).filter((each) => each !== code)).toEqual([]);
        // Streams that may be open, plus those that may be cancelled.
        expect(paths.length).toBeLessThanOrEqual(bursts * (2 * STRANGERS.burst + 10));
      }
      await isOver();
    },
  );

const longSettings = settings(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [at + 100, 1])));
const floods: [string, Buffer][] = [
  ["settings", settings({ 4: 65_535 })],
  ["settings with many entries", longSettings],
  ["pings", frame(TYPE.ping, 0, 0, Buffer.alloc(8))],
  ["empty data", frame(TYPE.data, 0, 1)],
  ["a priority of itself", frame(2, 0, 1, Buffer.from([0, 0, 0, 1, 0]))],
  ["data of streams that there are not", frame(TYPE.data, 0, 9, Buffer.alloc(10))],
  ["windows of nothing", frame(TYPE.windowUpdate, 0, 1, Buffer.alloc(4))],
];

test.each(floods)("4. %s", async (_name, flood) => {
  const { port, isOver } = await start();
  const session = await connectFrames(port);
  session.send(upload(1, "/wait"));
  session.socket.pause();
  const many = Buffer.concat(Array.from({ length: 500 }, () => flood));
  const isClosed = new Promise((resolve) => session.socket.once("close", resolve));
  let sent = 0;
  // As fast as the server accepts it; a client that reads nothing notices the end only by writing.
  while (!session.socket.destroyed && sent < 200e6) {
    sent += many.length;
    if (!session.socket.write(many))
      await Promise.race([new Promise((resolve) => session.socket.once("drain", resolve)), isClosed]);
  }
  expect(session.socket.destroyed).toBe(true);
  await isOver();
});

test("5. no frames", async () => {
  const { port, isOver } = await start();
  for (const bytes of ["GET / HTTP/1.1\r\n\r\n", "\0".repeat(100), "\xff".repeat(100)]) {
    const raw = await connectRaw(port, PREFACE);
    raw.socket.write(bytes, "latin1");
    const text = await raw.ended();
    expect(goawayCodes(text).some((code) => code !== 0)).toBe(true);
  }
  await isOver();
});

test("6. no bytes, half a handshake", async () => {
  const times = { headersTimeout: 100, connectionsCheckingInterval: 20 };
  const clear = await start({ times });
  for (const sent of ["", "P", "PRI * HTTP/2.0\r\n"])
    expect(await (await connectRaw(clear.port, sent)).ended()).toMatch(/^HTTP\/1\.1 408 /);
  await clear.isOver();
  const log = vi.fn();
  const certificate = openCertificate({ ...makeCertificate(), log });
  const { port, isOver } = await start({ times, certificate });
  for (const sent of ["", "\x16", "\x16\x03\x01\x02\0", "\x16\x03\x01\0\x05hello"])
    expect(await (await connectRaw(port, sent)).ended()).not.toContain("HTTP/");
  expect(await (await connectRaw(port, get("/"))).ended()).toMatch(/^HTTP\/1\.1 400 /);
  await isOver();
  expect(log).not.toHaveBeenCalled();
});
