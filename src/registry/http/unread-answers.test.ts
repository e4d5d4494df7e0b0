/**
 * Memory that the server holds for clients that read nothing:
 * 1. For a large manifest a few pieces, however many clients ask; a client that reads gets all of it, and HEAD says how large
 *    it is.
 * 2. Many referrers are read when there is memory for them, a few always; held memory is given back.
 */
import { once } from "node:events";
import { connect, constants, createServer, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import { createCallers } from "#accounts/index.ts";
import { createAnswerRoom } from "#platform/grpc/hold-answer.ts";
import { consoleLog } from "#platform/log/log.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { FEW_REFERRERS } from "../contract/limits.ts";
import { digestOf, openTestClient, type TestClient } from "../testing/client.ts";
import { asManifest, OCI_INDEX } from "../testing/images.ts";
import { createRegistryHandler } from "./handler.ts";

const READERS = 20;
const ROOM_BYTES = 1_000_000;

async function start() {
  const client = await openTestClient();
  onTestFinished(client.close);
  const { test: opened, tokens } = client;
  const answers = createAnswerRoom(ROOM_BYTES, 50);
  const { registry, traffic, accounts } = opened;
  const callers = createCallers(accounts, { rateLimitFactor: 0 });
  const handle = createRegistryHandler({ registry, callers, traffic, log: consoleLog, answers });
  const responses: Http2ServerResponse[] = [];
  const server = createServer((request, response) => {
    responses.push(response);
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const open = (initialWindowSize: number) => {
    const { port } = server.address() as AddressInfo;
    const session = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize } });
    onTestFinished(() => session.destroy());
    return async (path: string) => {
      const stream = session.request({ ":path": path, authorization: `Bearer ${tokens.project}` });
      stream.on("error", () => {});
      const [told] = (await once(stream, "response")) as [Record<string, unknown>];
      return { stream, status: told[":status"] };
    };
  };
  return { ...client, answers, responses, open };
}

const push = async ({ ask }: TestClient, fields: object) => {
  const { bytes } = asManifest(OCI_INDEX, { manifests: [], ...fields });
  const digest = digestOf(bytes);
  const headers = { "content-type": OCI_INDEX };
  const answer = await ask("PUT", `/v2/acme/web/manifests/${digest}`, { body: bytes, headers });
  expect(answer.status).toBe(201);
  return { bytes: Buffer.from(bytes), digest };
};

test("1. a large manifest", async () => {
  const client = await start();
  const { ask, open, responses } = client;
  const { bytes, digest } = await push(client, { annotations: { note: "n".repeat(3_000_000) } });
  const path = `/v2/acme/web/manifests/${digest}`;
  const readNothing = open(0);
  const answers = await Promise.all(Array.from({ length: READERS }, () => readNothing(path)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: READERS }, () => 200));
  const held = responses.reduce((sum, { writableLength }) => sum + writableLength, 0);
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(READERS * 600_000);
  const read = await ask("GET", path);
  expect([read.status, read.body.equals(bytes), read.headers["content-type"]]).toEqual([
    200,
    true,
    OCI_INDEX,
  ]);
  const head = await ask("HEAD", path);
  expect([head.status, head.headers["content-length"], head.body.length]).toEqual([
    200,
    String(bytes.length),
    0,
  ]);
});

test("2. many referrers", async () => {
  const client = await start();
  const { answers, open } = client;
  const subject = { mediaType: OCI_INDEX, ...(await push(client, { annotations: { a: "subject" } })) };
  const { bytes, ...rest } = subject;
  const refer = (at: number) =>
    push(client, {
      subject: { ...rest, size: bytes.length },
      annotations: { at: `${at}`, note: "n".repeat(9_000) },
    });
  const path = `/v2/acme/web/referrers/${subject.digest}`;
  const read = open(1_000_000);
  const ask = async () => {
    const { stream, status } = await read(path);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    if (status !== 200) return status;
    return (JSON.parse(Buffer.concat(chunks).toString()) as { manifests: object[] }).manifests.length;
  };
  for (let at = 0; at < FEW_REFERRERS; at += 1) await refer(at);
  const { release } = answers.take("someone else", ROOM_BYTES);
  expect(await ask()).toBe(FEW_REFERRERS);
  await refer(FEW_REFERRERS);
  expect(await ask()).toBe(503);
  release();
  const unread = await open(0)(path);
  expect(unread.status).toBe(200);
  // The actual size, not the reserved maximum.
  expect(answers.heldBytes).toBeGreaterThan(FEW_REFERRERS * 9_000);
  expect(answers.heldBytes).toBeLessThan(ROOM_BYTES / 2);
  expect(await ask()).toBe(503);
  unread.stream.close(constants.NGHTTP2_CANCEL);
  await vi.waitUntil(() => answers.heldBytes === 0, { interval: 5 });
  expect(await ask()).toBe(FEW_REFERRERS + 1);
  await vi.waitUntil(() => answers.heldBytes === 0, { interval: 5 });
});
