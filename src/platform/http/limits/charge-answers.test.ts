/**
 * 1. Bytes of requests and answers are charged to the request's holder, over both versions of HTTP, whether the answer is a text,
 *    a file or a stream; without a turn, to the account that delays no one.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { COSTS, PARSED, REFUSED } from "../../fair/limits.ts";
import { workGate } from "../../fair/work-gate.ts";
import { chargeAnswers } from "./charge-answers.ts";
import { readBytes } from "../read-body.ts";
import { assignRequestId } from "../request-id.ts";
import { StepwiseResponse } from "../connections/stepwise-response.ts";

const BYTES = 100_000;
const text = "x".repeat(BYTES);

afterEach(() => void vi.restoreAllMocks());

function createApp(): Hono {
  const app = new Hono();
  app.use(assignRequestId());
  app.use(chargeAnswers);
  app.use("/of/*", async (_context, next) => (await workGate.enter("acme"), next()));
  app.get("/of/text", (context) => context.text(text));
  app.get("/of/file", () => new Response(text, { headers: { "content-length": String(BYTES) } }));
  app.get("/of/stream", () => new Response(new Blob([text, text]).stream()));
  app.get("/none", (context) => context.text(text));
  app.post("/of/body", async ({ req, body }) => {
    await readBytes(req.raw, { maxBytes: 2 * BYTES });
    return body(null, 204);
  });
  return app;
}

const cases: [path: string, holder: string, bytes: number][] = [
  ["/of/text", "acme", BYTES],
  ["/of/file", "acme", BYTES],
  ["/of/stream", "acme", 2 * BYTES],
  ["/none", REFUSED, BYTES],
  ["/of/body", "acme", PARSED * BYTES],
];

function watchCharges() {
  const charged = new Map<string, number>();
  vi.spyOn(workGate, "charge").mockImplementation((holder, cost) => {
    charged.set(holder, (charged.get(holder) ?? 0) + cost);
  });
  return charged;
}

const costOf = (bytes: number) => expect.closeTo((bytes / 1024 ** 2) * COSTS.megabyte, 6);

test.each(cases)("1. HTTP/1.1 %s", async (path, holder, bytes) => {
  const charged = watchCharges();
  const server = createServer(getRequestListener(createApp().fetch)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(
    `http://127.0.0.1:${port}${path}`,
    path === "/of/body" ? { method: "POST", body: text } : {},
  );
  await answer.arrayBuffer();
  expect(Object.fromEntries(charged)).toEqual({ [holder]: costOf(bytes) });
});

test.each(cases)("1. HTTP/2 %s", async (path, holder, bytes) => {
  const charged = watchCharges();
  const server = createHttp2Server(
    { Http2ServerResponse: StepwiseResponse },
    getRequestListener(createApp().fetch) as never,
  ).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => session.destroy());
  const stream = session.request({ ":path": path, ":method": path === "/of/body" ? "POST" : "GET" });
  stream.end(path === "/of/body" ? text : undefined);
  stream.resume();
  await once(stream, "close");
  expect(Object.fromEntries(charged)).toEqual({ [holder]: costOf(bytes) });
});
