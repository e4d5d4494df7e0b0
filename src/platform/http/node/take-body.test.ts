/**
 * 1. A body arrives whole and in order, in large pieces and byte by byte, over HTTP/1.1 and HTTP/2, taken fast or slowly.
 * 2. While the body is not taken, a client can send only a bounded amount: the rest waits outside the process.
 * 3. Bytes from a client that leaves are taken, then its leaving is reported; also when it left before.
 * 4. The memory of an upload's pieces is released when they are taken, and the guard is notified of bytes and waits.
 * 5. When the taker fails, its error is thrown, and an answer still reaches the client.
 * 6. Every byte is charged once to a known holder, more for stored bytes; also for a blob that is sent.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AnyRequest, AnyResponse } from "../connections/connection.ts";
import { connectFrames, frame, reset, TYPE, upload } from "../raw-frames.ts";
import { connectRaw } from "../raw-client.ts";
import { COSTS, UPLOADED } from "../../fair/limits.ts";
import { workGate } from "../../fair/work-gate.ts";
import { sendText } from "./answer.ts";
import { sendBlob } from "./send-blob.ts";
import { BrokenOffError, takeBody, takeUpload } from "./take-body.ts";

type Answer = (call: { request: AnyRequest; response: AnyResponse }) => Promise<void>;

async function open(answer: Answer, version: 1 | 2 = 1) {
  const handle = (request: AnyRequest, response: AnyResponse) => void answer({ request, response });
  const server: Server = version === 1 ? createServer(handle) : createHttp2Server(handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // A TCP server's address is an AddressInfo.
  return (server.address() as AddressInfo).port;
}

/** The whole body, copied, and how it was taken. */
async function gather(call: Parameters<Answer>[0], wait?: () => Promise<unknown>) {
  const copies: Buffer[] = [];
  let most = 0;
  await takeBody(call, async (pieces) => {
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    most = Math.max(most, bytes);
    copies.push(Buffer.concat(pieces));
    await wait?.();
  });
  return { body: Buffer.concat(copies), most };
}

const content = randomBytes(3_000_000);

test.each([
  ["whole", content.length, 0],
  ["in pieces, slowly", 100_000, 5],
  ["byte by byte", 1, 0],
] as const)("1. %s", async (_, pieceBytes, turns) => {
  const body = content.subarray(0, pieceBytes === 1 ? 5_000 : content.length);
  const wait = async () => {
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  };
  const arrived: Buffer[] = [];
  const answer: Answer = async (call) => {
    arrived.push((await gather(call, wait)).body);
    sendText({ ...call, headers: {} }, "done", { status: 200, type: "text/plain" });
  };
  const sent = request({ port: await open(answer), method: "PUT" });
  for (let at = 0; at < body.length; at += pieceBytes) sent.write(body.subarray(at, at + pieceBytes));
  sent.end();
  const [{ statusCode }] = (await once(sent, "response")) as [{ statusCode: number }];
  const session = connectHttp2(`http://127.0.0.1:${await open(answer, 2)}`);
  onTestFinished(() => session.close());
  const stream = session.request({ ":method": "PUT" });
  for (let at = 0; at < body.length; at += pieceBytes) stream.write(body.subarray(at, at + pieceBytes));
  stream.end();
  const [head] = (await once(stream, "response")) as [{ ":status": number }];
  expect([statusCode, head[":status"]]).toEqual([200, 200]);
  expect(arrived.map((each) => each.equals(body))).toEqual([true, true]);
});

test("2. back pressure", async () => {
  const large = Buffer.alloc(64_000_000);
  const first = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const done = Promise.withResolvers<{ body: Buffer; most: number }>();
  const port = await open((call) =>
    gather(call, () => {
      first.resolve();
      return go.promise;
    }).then(done.resolve, done.reject),
  );
  const sent = request({ port, method: "PUT" });
  sent.on("error", () => {});
  sent.end(large);
  await first.promise;
  const socket = await new Promise<{ bytesWritten: number; writableLength: number }>((resolve) =>
    sent.socket ? resolve(sent.socket) : sent.once("socket", resolve),
  );
  // While the amount changes, more is on its way.
  for (let left = -1; left !== socket.writableLength;) {
    left = socket.writableLength;
    for (let turn = 0; turn < 200; turn += 1) await setImmediate();
  }
  expect(socket.writableLength).toBeGreaterThan(0);
  go.resolve();
  const { body, most } = await done.promise;
  expect(body.length).toBe(large.length);
  // Waiting bytes, bytes just read, and bytes that Node holds for a paused request.
  expect(most).toBeLessThan(1_000_000);
});

test("3. a client that leaves", async () => {
  const outcomes: Promise<unknown>[] = [];
  const taken: Buffer[] = [];
  const port = await open((call) => {
    const { request } = call;
    const begun =
      request.url === "/late" ? new Promise<void>((left) => request.once("close", left)) : Promise.resolve();
    const outcome = begun.then(() =>
      takeBody(call, (pieces) => Promise.resolve(void taken.push(Buffer.concat(pieces)))),
    );
    outcomes.push(outcome.catch((error: unknown) => error));
    return Promise.resolve();
  });
  for (const path of ["/", "/late"]) {
    const { socket } = await connectRaw(
      port,
      `PUT ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nsome of it`,
    );
    while (outcomes.length === (path === "/" ? 0 : 1)) await setImmediate();
    if (path === "/") while (Buffer.concat(taken).length === 0) await setImmediate();
    socket.destroy();
  }
  for (const error of await Promise.all(outcomes)) expect(error).toBeInstanceOf(BrokenOffError);
  expect(Buffer.concat(taken).toString()).toBe("some of it");
});

test.each([0, 8])("3. a stream that is taken back with %d", async (code) => {
  const outcome = Promise.withResolvers<unknown>();
  const begun = Promise.withResolvers<void>();
  const port = await open((call) => {
    const body = takeBody(call, () => Promise.resolve(begun.resolve()));
    body.then(() => outcome.resolve("whole"), outcome.resolve);
    return Promise.resolve();
  }, 2);
  const session = await connectFrames(port);
  session.send(upload(1, "/"), frame(TYPE.data, 0, 1, Buffer.alloc(100)));
  await begun.promise;
  session.send(reset(1, code));
  expect(await outcome.promise).toBeInstanceOf(BrokenOffError);
  session.socket.destroy();
});

test("4. uploads", async () => {
  const pace = { receivedBytes: 0, isHeld: false };
  const held: boolean[] = [];
  const pieces: Buffer[] = [];
  const port = await open(async (call) => {
    await takeUpload(call, pace, async (some) => {
      held.push(pace.isHeld);
      pieces.push(...some);
      await setImmediate();
      expect(some.every(({ length }) => length > 0)).toBe(true);
    });
    sendText({ ...call, headers: {} }, "done", { status: 200, type: "text/plain" });
  });
  const sent = request({ port, method: "PUT" });
  sent.end(content);
  await once(sent, "response");
  expect([pace, new Set(held)]).toEqual([{ receivedBytes: content.length, isHeld: false }, new Set([true])]);
  const left = pieces.reduce((sum, { length }) => sum + length, 0);
  expect(left).toBeLessThan(content.length / 100);
});

test("5. a taker that fails", async () => {
  const port = await open(async (call) => {
    const error = await takeBody(call, () => Promise.reject(new Error("full"))).catch(
      (reason: Error) => reason,
    );
    sendText({ ...call, headers: {} }, error?.message ?? "", { status: 507, type: "text/plain" });
  });
  const client = await connectRaw(
    port,
    `PUT / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${content.length}\r\n\r\n`,
  );
  client.socket.write(content);
  expect(await client.ended()).toMatch(/^HTTP\/1.1 507 [^]*full$/);
});

test.each(["/body", "/upload", "/blob"])("6. what is charged: %s", async (path) => {
  let charged = 0;
  const pace = vi.spyOn(workGate, "pace").mockImplementation((holder, bytes) => {
    expect(holder).toBe("acme");
    charged += (bytes / 1024 ** 2) * COSTS.megabyte;
    return undefined;
  });
  const charge = vi.spyOn(workGate, "charge").mockImplementation((holder, cost) => {
    expect(holder).toBe("acme");
    charged += cost;
  });
  onTestFinished(() => void [pace.mockRestore(), charge.mockRestore()]);
  const chunks = [content.subarray(0, 1_000_000), content.subarray(1_000_000)];
  const port = await open(async (of) => {
    const call = { ...of, headers: {}, holder: "acme" };
    if (path === "/body") await takeBody(call, () => Promise.resolve());
    if (path === "/upload") await takeUpload(call, null, () => Promise.resolve());
    if (path !== "/blob") return sendText(call, "done", { status: 200, type: "text/plain" });
    const reader = { bytes: () => Readable.from(chunks), giveBack: () => {} };
    await sendBlob(call, reader as never, {
      start: 0,
      end: content.length,
      begin: () => {},
      onSent: () => {},
    });
  });
  const method = path === "/blob" ? "GET" : "PUT";
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(method === "PUT" && { body: content }),
  });
  const { length } = Buffer.from(await answer.arrayBuffer());
  expect(length).toBe(path === "/blob" ? content.length : "done".length);
  const factor = path === "/upload" ? UPLOADED : 1;
  const answered = path === "/blob" ? 0 : "done".length;
  expect(charged).toBeCloseTo(((factor * content.length + answered) * COSTS.megabyte) / 1024 ** 2, 9);
});
