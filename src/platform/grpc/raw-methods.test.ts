/**
 * With bytes on an HTTP/2 session, against a server with production limits:
 * 1. A call is answered with its messages and status; an error has its code and its message in any script.
 * 2. An invalid call ends with the code that says what is wrong, and leaves the session intact.
 * 3. An upload that is answered early is stopped, a hundred times in one session, and the next call is answered.
 * 4. A call ends at its client's deadline, and its answer is no longer made.
 * 5. A reader that takes nothing holds the method back; a client that leaves ends it.
 * 6. Cancelled reads, 900 in one session, with more waiting than Node.js has memory for by default, leave the session of a known
 *    client open; a stranger's is ended.
 * 7. Each answer is reported once, with its status.
 * 8. A known client may send ahead of the server, a stranger no more than HTTP/2's 64 KiB.
 * 9. The bytes of a call's only message and of its last answer are charged like those of streams.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Code } from "@connectrpc/connect";
import { createGuardedServer } from "#server/port/guarded-server.ts";
import { afterEach, expect, test, vi } from "vitest";
import type { AnsweredRequest } from "../http/connections/watch-answers.ts";
import { COSTS, UPLOADED } from "../fair/limits.ts";
import { workGate } from "../fair/work-gate.ts";
import { consoleLog } from "../log/log.ts";
import { GrpcError } from "./grpc-error.ts";
import { createGrpcHandler } from "./handler.ts";
import { answerOf, openRawClient, type RawClient } from "./raw-client.ts";
import { createRawHandler, type RawMethod, uploading } from "./raw-methods.ts";
import { frameMessage } from "./split-messages.ts";
import { CallOverError } from "./call-waits.ts";

const cleanUps: (() => void)[] = [];
afterEach(() => cleanUps.splice(0).forEach((cleanUp) => cleanUp()));

interface Seen {
  sent: number;
  ends: unknown[];
}

function methodsOf(seen: Seen): Map<string, RawMethod<string>> {
  return new Map<string, RawMethod<string>>([
    ["/test.S/Echo", async (call) => call.finish(await call.readOnly())],
    ["/test.S/Upload", uploading(async (call) => call.finish(await call.readOnly()))],
    [
      "/test.S/Fail",
      async (call) => {
        await call.readOnly();
        throw new GrpcError(Code.DataLoss, "50 % are lost: кэш пуст\r\nreally");
      },
    ],
    ["/test.S/Bug", () => Promise.reject(new Error("a secret"))],
    [
      "/test.S/Late",
      async (call) => {
        await call.send(Buffer.from("first"));
        throw new GrpcError(Code.NotFound, "gone");
      },
    ],
    ["/test.S/Wait", () => new Promise<void>(() => {})],
    [
      "/test.S/First",
      async (call) => {
        const { value } = await call.readAll().next();
        call.finish(value ?? Buffer.alloc(0));
      },
    ],
    [
      "/test.S/All",
      async (call) => {
        let bytes = 0;
        for await (const message of call.readAll()) bytes += message.length;
        call.finish(Buffer.from(String(bytes)));
      },
    ],
    [
      "/test.S/Endless",
      async (call) => {
        await call.readOnly();
        try {
          for (;;) {
            await call.send(Buffer.alloc(20_000));
            seen.sent += 20_000;
          }
        } catch (error) {
          seen.ends.push(error);
          throw error;
        }
      },
    ],
  ]);
}

async function start() {
  const seen: Seen = { sent: 0, ends: [] };
  const answers: AnsweredRequest[] = [];
  const logged = vi.fn();
  const raw = createRawHandler<string>({
    methods: methodsOf(seen),
    maxMessageBytes: 100_000,
    translate: () => undefined,
    log: { ...consoleLog, error: logged },
    admit(call) {
      if (call.headers.authorization !== "known") return Promise.resolve("stranger");
      call.trustCaller("known");
      return Promise.resolve("known");
    },
  });
  const handler = createGrpcHandler({
    routes: () => {},
    raw,
    listeners: [(answer) => void answers.push(answer)],
  });
  const { server, connections } = createGuardedServer();
  server.http2.on("request", (request, response) => {
    if (connections.admit(request, response)) handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const connectRaw = (headers: Record<string, string> = {}, window = 65_535): RawClient => {
    const client = openRawClient(port, { headers, window });
    cleanUps.push(client.close);
    return client;
  };
  cleanUps.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return { connectRaw, seen, answers, logged, connections };
}

const call = (client: RawClient, method: string, body?: Uint8Array, headers = {}) => {
  const stream = client.open(`/test.S/${method}`, headers);
  const answer = answerOf(stream);
  stream.end(body ?? frameMessage(Buffer.from("hello")));
  return answer;
};

test("1. answers", async () => {
  const { connectRaw, logged } = await start();
  const client = connectRaw();
  expect(await call(client, "Echo")).toEqual({
    status: 200,
    code: 0,
    message: "",
    messages: [Buffer.from("hello")],
    reset: 0,
  });
  const large = Buffer.alloc(100_000, "large");
  expect((await call(client, "Echo", frameMessage(large))).messages[0]?.equals(large)).toBe(true);
  expect(await call(client, "Fail")).toMatchObject({
    code: Code.DataLoss,
    message: "50 % are lost: кэш пуст\r\nreally",
    messages: [],
  });
  expect(await call(client, "Late")).toMatchObject({
    code: Code.NotFound,
    messages: [Buffer.from("first")],
  });
  const bug = await call(client, "Bug");
  expect([bug.code, bug.message.includes("secret")]).toEqual([Code.Internal, false]);
  expect(logged).toHaveBeenCalledOnce();
  expect(
    await call(client, "All", Buffer.concat([1, 2, 3].map((size) => frameMessage(Buffer.alloc(size))))),
  ).toMatchObject({ messages: [Buffer.from("6")] });
});

test("2. what is not a call", async () => {
  const { connectRaw } = await start();
  const client = connectRaw();
  const hello = frameMessage(Buffer.from("hello"));
  const cases: [string, Uint8Array, Record<string, string>, Code][] = [
    ["Echo", Buffer.alloc(0), {}, Code.InvalidArgument],
    ["Echo", hello.subarray(0, 7), {}, Code.InvalidArgument],
    ["Echo", Buffer.concat([hello, hello]), {}, Code.InvalidArgument],
    ["Echo", Buffer.concat([hello, hello.subarray(0, 3)]), {}, Code.InvalidArgument],
    ["Echo", Buffer.from([9, 0, 0, 0, 1, 1]), {}, Code.InvalidArgument],
    ["Echo", Buffer.from([1, 0, 0, 0, 1, 1]), { "grpc-encoding": "gzip" }, Code.Unimplemented],
    ["Echo", frameMessage(Buffer.alloc(100_001)), {}, Code.ResourceExhausted],
    ["All", hello.subarray(0, 7), {}, Code.InvalidArgument],
    ["Echo", hello, { "grpc-timeout": "soon" }, Code.InvalidArgument],
    ["Nothing", hello, {}, Code.Unimplemented],
    ["Echo", hello, { "content-type": "application/grpc+json" }, Code.Unimplemented],
    ["Echo", hello, { "content-type": "application/grpc-web" }, Code.Unimplemented],
  ];
  for (const [method, body, headers, code] of cases)
    expect([method, (await call(client, method, body, headers)).code]).toEqual([method, code]);
  expect((await call(client, "Echo")).code).toBe(0);
});

test("3. an early answer", async () => {
  const { connectRaw } = await start();
  const client = connectRaw();
  const part = frameMessage(Buffer.alloc(20_000));
  for (let at = 0; at < 100; at += 1) {
    const stream = client.open(`/test.S/${at % 2 === 0 ? "First" : "Nothing"}`);
    const answer = answerOf(stream);
    const isOver = new Promise((resolve) => stream.once("close", resolve));
    // Never ended by the client.
    while (!stream.destroyed)
      if (!stream.write(part)) await Promise.race([once(stream, "drain").catch(() => {}), isOver]);
    expect(await answer).toMatchObject({ code: at % 2 === 0 ? 0 : Code.Unimplemented, reset: 0 });
  }
  expect((await call(client, "Echo")).code).toBe(0);
});

test("4. in time", async () => {
  const { connectRaw } = await start();
  const client = connectRaw();
  expect((await call(client, "Wait", undefined, { "grpc-timeout": "20m" })).code).toBe(Code.DeadlineExceeded);
  expect((await call(client, "Endless", undefined, { "grpc-timeout": "50000u" })).code).toBe(
    Code.DeadlineExceeded,
  );
  expect((await call(client, "Echo", undefined, { "grpc-timeout": "99999999H" })).code).toBe(0);
});

test("5. a reader that takes nothing", async () => {
  const { connectRaw, seen, connections } = await start();
  const client = connectRaw();
  const stream = client.open("/test.S/Endless").end(frameMessage(Buffer.alloc(0)));
  await once(stream, "response");
  stream.pause();
  let before = -1;
  await vi.waitUntil(() => (seen.sent > 0 && seen.sent === before) || ((before = seen.sent), false), {
    interval: 50,
  });
  expect(seen.sent).toBeLessThan(1_000_000);
  stream.close(8);
  await vi.waitUntil(() => seen.ends.length === 1, { interval: 1 });
  expect(seen.ends[0]).toBeInstanceOf(CallOverError);
  await vi.waitUntil(() => connections.requests === 0, { interval: 1 });
});

test("6. reads that are taken back", async () => {
  const { connectRaw, connections } = await start();
  const takeBack = async (client: RawClient, count: number) => {
    let taken = 0;
    for (let at = 0; at < count && !client.session.destroyed && !client.session.closed; at += 1) {
      const stream = client.open("/test.S/Endless").end(frameMessage(Buffer.alloc(0)));
      const isOver = once(stream, "close").catch(() => {});
      await Promise.race([once(stream, "data").catch(() => {}), isOver]);
      taken += Number(stream.rstCode !== 11);
      stream.close(8);
      await isOver;
    }
    return taken;
  };
  // Most of each answer is still in the server when it is cancelled.
  const known = connectRaw({ authorization: "known" }, 1000);
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeBack(known, 9)));
  expect(taken.reduce((sum, count) => sum + count, 0)).toBe(180);
  expect((await call(known, "Echo")).code).toBe(0);
  const stranger = connectRaw();
  expect(await takeBack(stranger, 4000)).toBeLessThan(1000);
  expect(stranger.session.closed || stranger.session.destroyed).toBe(true);
  await vi.waitUntil(() => connections.requests === 0, { interval: 1 });
}, 60_000);

test("7. what is told", async () => {
  const { connectRaw, answers } = await start();
  const client = connectRaw();
  await call(client, "Echo");
  await call(client, "Fail");
  await call(client, "Late");
  client
    .open("/test.S/Wait")
    .end(frameMessage(Buffer.alloc(0)))
    .close(8);
  await vi.waitUntil(() => answers.length === 4, { interval: 1 });
  expect(answers.map(({ path, grpcStatus, isCut }) => [path, grpcStatus, isCut])).toEqual([
    ["/test.S/Echo", 0, false],
    ["/test.S/Fail", Code.DataLoss, false],
    ["/test.S/Late", Code.NotFound, false],
    ["/test.S/Wait", undefined, true],
  ]);
});

test("8. windows", async () => {
  const { connectRaw } = await start();
  const windowOf = async (headers: Record<string, string>) => {
    const client = connectRaw(headers);
    await call(client, "Echo");
    // Once the server's answer to a ping has arrived, all its settings have.
    await new Promise((resolve) => client.session.ping(resolve));
    const { initialWindowSize, maxConcurrentStreams } = client.session.remoteSettings;
    return [initialWindowSize, maxConcurrentStreams, client.session.state.remoteWindowSize];
  };
  const [stranger, known] = [await windowOf({}), await windowOf({ authorization: "known" })];
  expect(stranger.slice(0, 2)).toEqual([65_535, 100]);
  expect(known.slice(0, 2)).toEqual([262_144, 100]);
  expect(known[2]).toBeGreaterThan(4_000_000);
});

test("9. what is charged", async () => {
  const { connectRaw } = await start();
  const client = connectRaw({ authorization: "known" });
  const [pace, charge] = [vi.spyOn(workGate, "pace"), vi.spyOn(workGate, "charge")];
  cleanUps.push(() => void [pace.mockRestore(), charge.mockRestore()]);
  const body = Buffer.alloc(65_536);
  const framed = frameMessage(body);
  const answer = (framed.length / 1024 ** 2) * COSTS.megabyte;
  for (const [method, factor] of [
    ["Echo", 1],
    ["Upload", UPLOADED],
  ] as const) {
    expect((await call(client, method, framed)).code).toBe(0);
    expect(pace).toHaveBeenLastCalledWith("known", factor * body.length);
    expect(charge).toHaveBeenLastCalledWith("known", answer);
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  pace.mockReturnValueOnce(promise);
  charge.mockClear();
  const waiting = call(client, "Upload", framed);
  await vi.waitUntil(() => pace.mock.calls.length === 3, { interval: 1 });
  expect(charge).not.toHaveBeenCalled();
  resolve();
  expect((await waiting).code).toBe(0);
});
