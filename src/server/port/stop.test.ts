/**
 * 1. When it is told to stop, the server finishes requests in flight, closes everything, and exits with 0; new clients are
 *    refused. A large, slowly read download arrives whole. HTTP/2 sessions are notified, their answers in flight arrive whole,
 *    and both protocols are waited for.
 * 2. Signals that arrive together count as one; a later signal ends the process immediately.
 * 3. Requests that do not finish in time are cut off, everything is still closed, and the exit code is 1.
 * 4. An uncaught error is reported and ends the server in the same way, with 1; a connection ended by its
 *    client is not such an error.
 * 5. When the launcher ends, the server stops.
 */
import { EventEmitter, once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { AnyRequest, AnyResponse } from "#platform/http/connections/connection.ts";
import { guardConnections } from "#platform/http/connections/connections.ts";
import { connectRaw, get } from "#platform/http/raw-client.ts";
import { connectionLimits, SAME_SIGNAL_MS } from "../limits.ts";
import { ProtocolServer } from "./protocols.ts";
import { type StopOptions, stopOnSignals } from "./stop.ts";

async function start(options: Partial<StopOptions> = {}) {
  const server = new ProtocolServer();
  const connections = guardConnections(server, { limits: connectionLimits(1024, 20) });
  const asked: AnyResponse[] = [];
  server.onCarrier("session", connections.begin);
  const onRequest = (request: AnyRequest, response: AnyResponse) => {
    if (connections.admit(request, response)) asked.push(response);
    server.emit("asked");
  };
  server.http1.on("request", onRequest);
  server.http2.on("request", onRequest);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const done: unknown[] = [];
  const self = new EventEmitter();
  let now = 0;
  const exited = once(self, "exit");
  stopOnSignals({
    server,
    connections,
    close: async () => void done.push("closed"),
    onError: (error) => done.push(error),
    process: Object.assign(self, { exit: (code: number) => void self.emit("exit", code) }),
    clock: () => now,
    log: () => {},
    ...options,
  });
  const { port } = server.address() as AddressInfo;
  const client = await connectRaw(port, get("/"));
  await once(server, "asked");
  const finish = (text = "answer") => asked.forEach((response) => response.end(text));
  return { server, self, exited, done, client, finish, port, wait: (ms: number) => void (now += ms) };
}

test("1. in good order", async () => {
  const { server, self, exited, done, client, finish, port } = await start();
  self.emit("SIGTERM");
  expect(server.listening).toBe(false);
  const refused = await connectRaw(port, get("/"));
  expect(refused.socket.destroyed).toBe(true);
  expect(done).toEqual([]);
  finish();
  expect(await client.ended()).toContain("answer");
  expect([await exited, done]).toEqual([[0], ["closed"]]);
});

test("1. a slow download", async () => {
  const { self, exited, client, finish } = await start();
  let taken = 0;
  client.socket.on("data", (chunk: Buffer) => {
    taken += chunk.length;
    client.socket.pause();
    // In the next turn, because the other end is in the same process.
    setImmediate(() => client.socket.resume());
  });
  finish("a".repeat(7_000_000));
  self.emit("SIGTERM");
  expect(await exited).toEqual([0]);
  await once(client.socket, "close");
  expect(taken).toBeGreaterThan(7_000_000);
});

test("1. HTTP/2", async () => {
  const { self, exited, client, finish, port, server } = await start();
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const stream = session.request({ ":path": "/" });
  await once(server, "asked");
  self.emit("SIGTERM");
  await once(session, "goaway");
  finish("a".repeat(3_000_000));
  let taken = 0;
  stream.on("data", (chunk: Buffer) => (taken += chunk.length));
  await once(stream, "end");
  expect(taken).toBe(3_000_000);
  await once(session, "close");
  expect(await client.ended()).toContain("Connection: close");
  expect(await exited).toEqual([0]);
});

test("2. signals", async () => {
  const { self, exited, done, client, wait } = await start();
  let code: number | undefined;
  self.on("exit", (value: number) => (code ??= value));
  for (const signal of ["SIGINT", "SIGINT", "SIGTERM"]) self.emit(signal);
  wait(SAME_SIGNAL_MS - 1);
  self.emit("SIGINT");
  expect(code).toBeUndefined();
  wait(1);
  self.emit("SIGINT");
  expect([await exited, done]).toEqual([[1], []]);
  client.socket.destroy();
});

test("3. out of time", async () => {
  const { self, exited, done, client } = await start({ drainMs: 1 });
  self.emit("SIGTERM");
  await client.ended();
  expect([await exited, done]).toEqual([[1], ["closed"]]);
});

test("3. a close that hangs or fails", async () => {
  const failure = new Error("disk");
  for (const close of [() => new Promise<void>(() => {}), () => Promise.reject(failure)]) {
    const { self, exited, finish } = await start({ close, closeMs: 1 });
    self.emit("SIGTERM");
    finish();
    expect(await exited).toEqual([1]);
  }
});

test("4. errors that no one caught", async () => {
  const { self, exited, done, finish } = await start();
  self.emit("uncaughtException", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
  expect(done).toEqual([]);
  const failure = new Error("bug");
  self.emit("uncaughtException", failure);
  finish();
  expect([await exited, done]).toEqual([[1], [failure, "closed"]]);
});

test("5. no launcher", async () => {
  const { self, exited, finish } = await start();
  self.emit("disconnect");
  finish();
  expect(await exited).toEqual([0]);
});
