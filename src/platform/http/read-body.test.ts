/**
 * Compared with a naive oracle that has the whole body:
 * 1. However a body is split into chunks, it is read whole when it fits and refused as too large when it does not, with and
 *    without a declared length; chunks, bytes and text agree.
 * 2. A body that is too large is not read at all if its length is declared, else at most one chunk beyond the limit.
 * 3. A body that is shorter than declared, or whose source fails, breaks off; the source's error is the cause.
 * 4. A hanging body is abandoned after the time limit, and immediately when its reader is aborted. The source is notified.
 * 5. Over a real connection: the same for a client that stops sending, leaves or sends too much.
 * 6. A server is notified of the bytes received, also for a body that breaks off; if the number is unknown, of the declared
 *    length.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { getRequestListener } from "@hono/node-server";
import { connectRaw } from "./raw-client.ts";
import { BodyError, type BodySource, onReceived, readBytes, readChunks, readText } from "./read-body.ts";

interface Sent {
  chunks: Uint8Array[];
  declared?: number;
  /** What follows the chunks. */
  ending?: "hang" | Error;
}

function sourceOf({ chunks, declared, ending }: Sent) {
  const seen = { read: 0, isReleased: false };
  const body = {
    async *[Symbol.asyncIterator]() {
      try {
        for (const chunk of chunks) {
          seen.read += chunk.byteLength;
          yield chunk;
        }
        if (ending instanceof Error) throw ending;
      } finally {
        seen.isReleased = true;
      }
    },
  };
  const headers = new Headers(declared === undefined ? {} : { "content-length": String(declared) });
  const source: BodySource = { headers, body: ending === "hang" ? hanging(chunks, seen) : body };
  return { source, seen };
}

function hanging(chunks: Uint8Array[], seen: { isReleased: boolean }): AsyncIterable<Uint8Array> {
  const rest = [...chunks];
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        const value = rest.shift();
        return value ? Promise.resolve({ done: false, value }) : new Promise(() => {});
      },
      return: () => {
        seen.isReleased = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

const problemOf = (reading: Promise<unknown>) =>
  reading.then(
    () => "read",
    (error: unknown) => (error instanceof BodyError ? error.problem : error),
  );

const chunksArbitrary = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });

test("1. as the oracle says", () =>
  fc.assert(
    fc.asyncProperty(
      chunksArbitrary,
      fc.nat(300),
      fc.boolean(),
      fc.boolean(),
      async (chunks, maxBytes, isDeclared, isRequest) => {
        const whole = Buffer.concat(chunks);
        const make = () => {
          const declared = isDeclared ? { declared: whole.byteLength } : {};
          const { source } = sourceOf({ chunks, ...declared });
          if (isRequest) source.arrayBuffer = async () => new Uint8Array(whole).buffer;
          return source;
        };
        if (whole.byteLength > maxBytes) {
          for (const read of [readBytes, readText])
            expect(await problemOf(read(make(), { maxBytes }))).toBe("too large");
          expect(await problemOf(collect(readChunks(make(), { maxBytes })))).toBe("too large");
          return;
        }
        expect(Buffer.from(await readBytes(make(), { maxBytes }))).toEqual(whole);
        expect(await readText(make(), { maxBytes, timeoutMs: 60_000 })).toBe(new TextDecoder().decode(whole));
        expect(Buffer.concat(await collect(readChunks(make(), { maxBytes })))).toEqual(whole);
      },
    ),
    { numRuns: 300 },
  ));

test("2. no more than needed", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 12 }),
      fc.nat(100),
      async (chunks, maxBytes) => {
        const size = Buffer.concat(chunks).byteLength;
        fc.pre(size > maxBytes);
        const known = sourceOf({ chunks, declared: size });
        expect(await problemOf(readBytes(known.source, { maxBytes }))).toBe("too large");
        expect(known.seen.read).toBe(0);
        const unknown = sourceOf({ chunks });
        expect(await problemOf(readBytes(unknown.source, { maxBytes }))).toBe("too large");
        expect(unknown.seen.read).toBeLessThanOrEqual(maxBytes + 40);
        expect(unknown.seen.isReleased).toBe(true);
      },
    ),
  ));

test("3. broken off", async () => {
  const chunks = [new Uint8Array(3)];
  const failure = new Error("reset");
  const limits = { maxBytes: 10 };
  expect(await problemOf(readBytes(sourceOf({ chunks, declared: 4 }).source, limits))).toBe("broken off");
  const failing = readBytes(sourceOf({ chunks, ending: failure }).source, limits);
  await expect(failing).rejects.toMatchObject({ problem: "broken off", cause: failure });
  expect(Buffer.from(await readBytes({ headers: new Headers(), body: null }, limits))).toHaveLength(0);
});

test("4. nothing more comes", async () => {
  const hung = () => sourceOf({ chunks: [new Uint8Array(1)], ending: "hang" });
  const late = hung();
  expect(await problemOf(readBytes(late.source, { maxBytes: 9, timeoutMs: 20 }))).toBe("too slow");
  expect(late.seen.isReleased).toBe(true);
  const reason = new Error("no one waits");
  const ending = new AbortController();
  const stopped = hung();
  const reading = problemOf(readBytes(stopped.source, { maxBytes: 9, signal: ending.signal }));
  ending.abort(reason);
  expect([await reading, stopped.seen.isReleased]).toEqual([reason, true]);
  expect(await problemOf(readBytes(hung().source, { maxBytes: 9, signal: ending.signal }))).toBe(reason);
});

let server: Server | undefined;
afterEach(() => server?.closeAllConnections());

async function listen() {
  let settle: (problem: unknown) => void = () => {};
  const told = () => new Promise((resolve) => (settle = resolve));
  const answer = async (request: Request) => {
    settle(await problemOf(readBytes(request, { maxBytes: 100, timeoutMs: 200 })));
    return new Response("done");
  };
  const listener = getRequestListener(answer);
  server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  // It listens on a port, so the address is an AddressInfo.
  return { port: (server.address() as AddressInfo).port, told };
}

test("5. over a connection", async () => {
  const { port, told } = await listen();
  const head = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  const cases: [string, string, boolean][] = [
    [`${head}Content-Length: 5\r\n\r\nhello`, "read", false],
    [`${head}Content-Length: 101\r\n\r\n`, "too large", false],
    [`${head}Transfer-Encoding: chunked\r\n\r\n65\r\n${"x".repeat(101)}\r\n`, "too large", false],
    [`${head}Content-Length: 5\r\n\r\nhel`, "too slow", false],
    [`${head}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n`, "too slow", false],
    [`${head}Content-Length: 5\r\n\r\nhel`, "broken off", true],
    [`${head}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n`, "broken off", true],
  ];
  for (const [sent, expected, goesAway] of cases) {
    const outcome = told();
    const client = await connectRaw(port, sent);
    if (goesAway) client.socket.end();
    expect([sent.slice(-40), await outcome]).toEqual([sent.slice(-40), expected]);
    client.socket.destroy();
  }
});

test("6. what came", async () => {
  const told: number[] = [];
  onReceived((bytes) => void told.push(bytes));
  onTestFinished(() => onReceived(() => {}));
  const chunks = [new Uint8Array(3), new Uint8Array(4)];
  const limits = { maxBytes: 100 };
  await readBytes(sourceOf({ chunks }).source, limits);
  await readBytes(sourceOf({ chunks, ending: new Error("reset") }).source, limits).catch(() => {});
  const { source } = sourceOf({ chunks, declared: 20 });
  for (const came of [Promise.resolve(new ArrayBuffer(20)), Promise.reject(new Error("reset"))])
    await readBytes({ ...source, arrayBuffer: () => came }, limits).catch(() => {});
  expect(told).toEqual([7, 7, 20, 20]);
});
