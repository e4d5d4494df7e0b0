/**
 * With gRPC's own client:
 * 1. Check answers SERVING and NOT_SERVING, and NOT_FOUND for an unknown service.
 * 2. Watch answers immediately, with each change, and with SERVICE_UNKNOWN until the service exists.
 * 3. Calls of Watch are limited, in total and per address; a call that ends makes room.
 * 4. Unknown methods are UNIMPLEMENTED, with and without an endless body; messages that are too large are refused.
 * 5. When the server ends, watchers receive NOT_SERVING, and their calls end.
 * 6. Each answer is reported once, with gRPC's status, the id that the client received, and whether it was cut off.
 */
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import {
  Client,
  type ClientReadableStream,
  credentials,
  type Metadata,
  type ServiceError,
  status as code,
} from "@grpc/grpc-js";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { afterEach, expect, test, vi } from "vitest";
import { HealthCheckRequestSchema, HealthCheckResponseSchema } from "./gen/grpc/health/v1/health_pb.ts";
import { createGrpcHandler } from "./handler.ts";
import type { AnsweredClient, AnsweredRequest } from "../http/connections/watch-answers.ts";
import { createHealthService, type HealthOptions } from "./health.ts";

const cleanUps: (() => void)[] = [];
afterEach(() => cleanUps.splice(0).forEach((cleanUp) => cleanUp()));

const write = (service: string) =>
  Buffer.from(toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema, { service })));
const read = (bytes: Buffer) => fromBinary(HealthCheckResponseSchema, bytes).status;

async function start(options: HealthOptions = {}) {
  const health = createHealthService(options);
  const answers: [AnsweredRequest, AnsweredClient][] = [];
  const listeners = [(...answer: [AnsweredRequest, AnsweredClient]) => void answers.push(answer)];
  const server = createServer({}, createGrpcHandler({ routes: health.routes, listeners }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  cleanUps.push(
    () => client.close(),
    () => server.close(),
  );
  const call = (path: string, service: string) =>
    new Promise<number>((resolve, reject) => {
      client.makeUnaryRequest(path, write, read, service, (error: ServiceError | null, value?: number) =>
        error ? reject(error) : resolve(value ?? -1),
      );
    });
  const check = (service = "") => call("/grpc.health.v1.Health/Check", service);
  const watch = (service = "") => {
    const stream = client.makeServerStreamRequest("/grpc.health.v1.Health/Watch", write, read, service);
    return { ...followed(stream), stop: () => stream.cancel() };
  };
  return { health, port, client, call, check, watch, answers };
}

function followed(stream: ClientReadableStream<number>) {
  const seen: number[] = [];
  let ended: number | undefined;
  stream.on("data", (value: number) => seen.push(value));
  stream.on("error", (error: ServiceError) => (ended = error.code));
  stream.on("metadata", (_metadata: Metadata) => {});
  return {
    seen,
    until: (count: number) => vi.waitUntil(() => seen.length >= count, { interval: 1, timeout: 5000 }),
    ended: () => vi.waitUntil(() => ended, { interval: 1, timeout: 5000 }),
  };
}

test("1. Check", async () => {
  const { health, check } = await start();
  expect(await check()).toBe(1);
  health.set("millrace.v1.BuildService", false);
  expect([await check(), await check("millrace.v1.BuildService")]).toEqual([1, 2]);
  await expect(check("other")).rejects.toMatchObject({
    code: code.NOT_FOUND,
    details: "This server has no service other.",
  });
});

test("2. Watch", async () => {
  const { health, watch } = await start();
  const whole = watch();
  const service = watch("millrace.v1.BuildService");
  await Promise.all([whole.until(1), service.until(1)]);
  health.set("millrace.v1.BuildService", true);
  await service.until(2);
  // An unchanged status is not sent.
  health.set("millrace.v1.BuildService", true);
  health.set("millrace.v1.BuildService", false);
  await service.until(3);
  expect([whole.seen, service.seen]).toEqual([[1], [3, 1, 2]]);
});

test("3. many calls of Watch", async () => {
  for (const limits of [{ maxWatchers: 3 }, { maxWatchersPerAddress: 3 }]) {
    const { health, watch } = await start(limits);
    const watching = [watch(), watch(), watch()];
    await Promise.all(watching.map((each) => each.until(1)));
    expect(await watch().ended()).toBe(code.RESOURCE_EXHAUSTED);
    watching[0]?.stop();
    await vi.waitUntil(() => health.watchers === 2, { interval: 1 });
    await watch().until(1);
    expect(health.watchers).toBe(3);
  }
});

test("4. what there is not", async () => {
  const { call, client, check } = await start();
  for (const path of ["/grpc.health.v1.Health/List", "/millrace.v1.Other/Get", "/"])
    await expect(call(path, "")).rejects.toMatchObject({
      code: code.UNIMPLEMENTED,
      details: `This server has no method ${path}`,
    });
  const upload = new Promise<ServiceError | null>((resolve) => {
    const stream = client.makeClientStreamRequest("/build.event/Publish", write, read, resolve);
    stream.write("never ended");
  });
  expect(await upload).toMatchObject({ code: code.UNIMPLEMENTED });
  await expect(check("a".repeat(100_000))).rejects.toMatchObject({ code: code.RESOURCE_EXHAUSTED });
});

test("5. the end", async () => {
  const { health, watch, check } = await start();
  const watching = watch();
  await watching.until(1);
  health.end();
  expect([await watching.ended(), watching.seen, await check()]).toEqual([code.UNAVAILABLE, [1, 2], 2]);
  const late = watch();
  expect([await late.ended(), late.seen]).toEqual([code.UNAVAILABLE, [2]]);
});

test("6. what is reported about answers", async () => {
  const { answers, call, check, watch } = await start();
  await check();
  await expect(check("other")).rejects.toThrow();
  await expect(call("/other.Service/Method", "")).rejects.toThrow();
  await vi.waitUntil(() => answers.length === 3, { interval: 1, timeout: 5000 });
  expect(answers.map(([{ path, status, grpcStatus }]) => [path, status, grpcStatus])).toEqual([
    ["/grpc.health.v1.Health/Check", 200, code.OK],
    ["/grpc.health.v1.Health/Check", 200, code.NOT_FOUND],
    ["/other.Service/Method", 200, code.UNIMPLEMENTED],
  ]);
  expect(new Set(answers.map(([, { requestId }]) => requestId)).size).toBe(3);
  expect(answers[0]?.[0]).toMatchObject({ method: "POST", mount: "grpc", protocol: "2.0", isCut: false });
  expect(answers[0]?.[1].address()).toBe("127.0.0.1");
  const watching = watch();
  await watching.until(1);
  watching.stop();
  await vi.waitUntil(() => answers.length === 4, { interval: 1, timeout: 5000 });
  expect(answers[3]?.[0]).toMatchObject({ isCut: true });
});
