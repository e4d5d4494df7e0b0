/**
 * Calls with large messages, with room for one of them at a time:
 * 1. Each waits for the one before it, and all are answered; messages of a stream need room one at a time.
 * 2. However a call ends, its room is free again: answered, failed, refused, cancelled while waiting, receiving or answering,
 *    broken off with its session, timed out.
 * 3. A caller that finds no room in time is told to retry.
 * 4. An answer keeps its room until its reader has received it, even if it is sent in turns.
 * 5. The request's memory is not kept while the reader of the answer is slow.
 */
import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { expect, onTestFinished, test, vi } from "vitest";
import { consoleLog } from "../log/log.ts";
import { collectGarbage } from "../testing/garbage.ts";
import { decodeKnownFields } from "./count-fields.ts";
import type { CallRooms } from "./call-places.ts";
import { GrpcError } from "./grpc-error.ts";
import { createGrpcHandler } from "./handler.ts";
import { createMessageRoom } from "./message-room.ts";
import { answerOf, openRawClient, type RawClient, type RawClientOptions } from "./raw-client.ts";
import type { RawCall } from "./raw-call.ts";
import { createRawHandler, type RawMethod, unary } from "./raw-methods.ts";
import { frameMessage } from "./split-messages.ts";

const SIZE = 400_000;
const large = frameMessage(Buffer.alloc(SIZE, "large"));
/** The head and the first bytes. */
const begun = large.subarray(0, 200_000);

const METHODS: Record<string, (call: RawCall) => Promise<void>> = {
  async One(call) {
    const { length } = await call.readOnly();
    call.finish(Buffer.from(String(length)));
  },
  async All(call) {
    let bytes = 0;
    for await (const message of call.readAll()) bytes += message.length;
    call.finish(Buffer.from(String(bytes)));
  },
  async Fail(call) {
    await call.readOnly();
    throw new GrpcError(Code.DataLoss, "lost");
  },
  async Hang(call) {
    await call.readOnly();
    await call.send(Buffer.from("read"));
    for (;;) await call.send(Buffer.alloc(100_000));
  },
  async Answer(call) {
    await call.readOnly();
    await call.hold("answers", SIZE);
    call.finish(Buffer.alloc(SIZE));
  },
  async Turns(call) {
    await call.readOnly();
    await call.hold("answers", SIZE);
    const half = Buffer.alloc(SIZE / 2);
    await call.finishInTurns([half, half]);
  },
};

async function start({ bytes = SIZE, waitMs = 60_000, methods = METHODS } = {}) {
  const roomOf = () => createMessageRoom({ bytes, share: bytes, waitMs });
  const rooms: CallRooms = { messages: roomOf(), objects: roomOf(), answers: roomOf() };
  const raw = createRawHandler<null>({
    methods: new Map(
      Object.entries(methods).map(([name, method]): [string, RawMethod<null>] => [`/test.S/${name}`, method]),
    ),
    maxMessageBytes: SIZE,
    admit: () => Promise.resolve(null),
    translate: () => undefined,
    log: consoleLog,
    rooms,
  });
  const server = createServer({}, createGrpcHandler({ routes: () => {}, raw }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const connect = (options: RawClientOptions = {}): RawClient => {
    const client = openRawClient(port, options);
    onTestFinished(client.close);
    return client;
  };
  onTestFinished(() => void server.close());
  return { rooms, connect };
}

const call = (client: RawClient, method: string, body: Uint8Array | null, headers = {}) => {
  const stream = client.open(`/test.S/${method}`, headers);
  const answer = answerOf(stream);
  if (body) stream.end(body);
  return { stream, answer };
};

const isFree = ({ messages, objects, answers }: CallRooms) =>
  [messages, objects, answers].every(({ heldBytes, waiting }) => heldBytes === 0 && waiting === 0);
const untilFree = (rooms: CallRooms) => vi.waitUntil(() => isFree(rooms), { interval: 1, timeout: 5000 });

test("1. one after the other", async () => {
  const { rooms, connect } = await start();
  const client = connect();
  const first = call(client, "One", null);
  first.stream.write(begun);
  await vi.waitUntil(() => rooms.messages.heldBytes === SIZE, { interval: 1 });
  const others = [call(client, "One", large), call(client, "All", Buffer.concat([large, large]))];
  await vi.waitUntil(() => rooms.messages.waiting === 2, { interval: 1 });
  const small = await call(client, "One", frameMessage(Buffer.from("small"))).answer;
  expect(small.messages[0]?.toString()).toBe("5");
  first.stream.end(large.subarray(begun.length));
  const answers = await Promise.all([first, ...others].map(({ answer }) => answer));
  expect(answers.map(({ code, messages }) => [code, String(messages[0])])).toEqual([
    [0, "400000"],
    [0, "400000"],
    [0, "800000"],
  ]);
  await untilFree(rooms);
});

test("2. however it ends", async () => {
  const { rooms, connect } = await start();
  const client = connect();
  expect((await call(client, "One", large).answer).code).toBe(0);
  await untilFree(rooms);
  expect((await call(client, "Fail", large).answer).code).toBe(Code.DataLoss);
  await untilFree(rooms);
  expect((await call(client, "One", Buffer.concat([large, begun])).answer).code).toBe(Code.InvalidArgument);
  await untilFree(rooms);
  expect((await call(client, "One", begun).answer).code).toBe(Code.InvalidArgument);
  await untilFree(rooms);
  expect((await call(client, "One", null, { "grpc-timeout": "20m" }).answer).code).toBe(
    Code.DeadlineExceeded,
  );
  const cut = connect();
  const coming = [call(client, "One", null), call(cut, "One", null), call(client, "All", null)];
  for (const { stream } of coming) stream.write(begun);
  await vi.waitUntil(() => rooms.messages.heldBytes === SIZE && rooms.messages.waiting === 2, {
    interval: 1,
  });
  const [first, , last] = coming;
  last?.stream.close(8);
  await vi.waitUntil(() => rooms.messages.waiting === 1, { interval: 1 });
  first?.stream.close(8);
  await vi.waitUntil(() => rooms.messages.waiting === 0, { interval: 1 });
  expect(rooms.messages.heldBytes).toBe(SIZE);
  cut.session.destroy();
  await untilFree(rooms);
  const hanging = call(client, "Hang", large);
  await once(hanging.stream, "data");
  expect(rooms.messages.heldBytes).toBe(SIZE);
  hanging.stream.close(8);
  await untilFree(rooms);
  expect((await call(client, "One", large).answer).code).toBe(0);
});

test("3. no room in time", async () => {
  const { rooms, connect } = await start({ waitMs: 100 });
  const holder = call(connect(), "One", null);
  holder.stream.write(begun);
  await vi.waitUntil(() => rooms.messages.heldBytes === SIZE, { interval: 1 });
  for (const method of ["One", "All"])
    expect(await call(connect(), method, large).answer).toMatchObject({
      code: Code.ResourceExhausted,
      message: expect.stringContaining("try again") as string,
    });
  holder.stream.end(large.subarray(begun.length));
  expect((await holder.answer).code).toBe(0);
  await untilFree(rooms);
});

test.each(["Answer", "Turns"])("4. answers: %s", async (method) => {
  const { rooms, connect } = await start();
  const hello = frameMessage(Buffer.from("hello"));
  const [slow, other] = [call(connect(), method, hello), call(connect(), method, hello)];
  slow.stream.pause();
  await vi.waitUntil(() => rooms.answers.waiting === 1, { interval: 1 });
  expect(rooms.answers.heldBytes).toBe(SIZE);
  slow.stream.resume();
  expect((await Promise.all([slow.answer, other.answer])).map(({ messages }) => messages[0]?.length)).toEqual(
    [SIZE, SIZE],
  );
  await untilFree(rooms);
  const gone = call(connect(), method, hello);
  gone.stream.pause();
  await vi.waitUntil(() => rooms.answers.heldBytes === SIZE, { interval: 1 });
  gone.stream.close(8);
  await untilFree(rooms);
});

test("5. a small answer", async () => {
  const Small = unary(
    { input: FieldMaskSchema, output: FieldMaskSchema },
    async (_asked, _caller: null, own) => {
      await own.hold("answers", SIZE);
      return Buffer.alloc(100);
    },
  );
  const { rooms, connect } = await start({ methods: { Small: (each) => Small(each, null) } });
  const client = connect({ window: 0 });
  const { stream, answer } = call(client, "Small", frameMessage(Buffer.alloc(0)));
  await once(stream, "response");
  expect(rooms.answers.heldBytes).toBe(100);
  client.session.settings({ initialWindowSize: SIZE });
  expect((await answer).messages[0]?.length).toBe(100);
  await untilFree(rooms);
});

test("5. what was asked", async () => {
  const asked: WeakRef<object>[] = [];
  const Ask = unary(
    { input: FieldMaskSchema, output: FieldMaskSchema },
    async (request, _caller: null, own) => {
      asked.push(new WeakRef(request));
      // More than it uses in the end.
      await own.hold("answers", SIZE);
      return Buffer.alloc(SIZE / 2);
    },
    (schema, bytes) => {
      asked.push(new WeakRef(bytes));
      return decodeKnownFields(schema, bytes);
    },
  );
  const { rooms, connect } = await start({ methods: { Ask: (each) => Ask(each, null) } });
  const paths = Array.from({ length: 10_000 }, (_, at) => `a/path/of/some/length/${at}`);
  const question = toBinary(FieldMaskSchema, create(FieldMaskSchema, { paths }));
  const { stream, answer } = call(connect(), "Ask", frameMessage(question));
  await once(stream, "response");
  stream.pause();
  expect([rooms.messages, rooms.objects, rooms.answers].map(({ heldBytes }) => heldBytes)).toEqual([
    0,
    0,
    SIZE / 2,
  ]);
  await collectGarbage();
  expect(asked.map((each) => each.deref())).toEqual([undefined, undefined]);
  stream.resume();
  expect((await answer).messages[0]?.length).toBe(SIZE / 2);
  await untilFree(rooms);
});
