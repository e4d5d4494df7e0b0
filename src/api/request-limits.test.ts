/**
 * The limits of one request's content, at every endpoint of the API: Connect with JSON and bytes, for one answer and for streams,
 * gRPC and gRPC-Web with bytes and JSON.
 * 1. The limits come from the contract: small for every method except the named ones, as the pages say; the largest request
 *    that the rooms allow is within them.
 * 2. A message with too many fields or values is refused before it is decoded: errors after that point are not reached. The
 *    message names the method and the limit.
 * 3. The same applies to unknown fields, to bytes of a different type from the contract's, and to groups.
 * 4. A body that is too long is refused by its announced length, and by the length received: the rest is not read.
 * 5. Some fields of a newer client are dropped, and the call is answered.
 */
import { readFileSync } from "node:fs";
import { createServer as createHttp1 } from "node:http";
import { connect, createServer as createHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { createMethodTable } from "./methods.ts";
import { MOST_REQUEST_BYTES, requestLimits } from "./calls/request-limits.ts";
import { openTestApi, OWNER_TOKEN } from "./testing/api.ts";

const methods = [...createMethodTable().values()];
const nameOf = ({ desc }: (typeof methods)[number]) => `${desc.parent.name}/${desc.name}`;

test("1. limits of the contract", () => {
  const large = methods.filter(({ desc }) => requestLimits(desc).bytes > 64 * 1024);
  expect(Object.fromEntries(large.map((each) => [nameOf(each), requestLimits(each.desc).bytes]))).toEqual({
    "BuildService/CreateBuild": 256 * 1024,
    "ProjectService/Update": MOST_REQUEST_BYTES,
    "ProjectService/TestTrust": 128 * 1024,
  });
  const rich = methods.filter(({ desc }) => requestLimits(desc).fields > 100).map(nameOf);
  expect(rich.sort()).toEqual([
    "BuildService/CreateBuild",
    "BuildService/ListBuilds",
    "ProjectService/TestTrust",
    "ProjectService/Update",
  ]);
  const whoAmI = methods.find((each) => nameOf(each) === "AccountService/WhoAmI")!;
  expect(requestLimits(whoAmI.desc)).toEqual({ bytes: 4096, fields: 64, depth: 1 });

  const file = join(import.meta.dirname, "../../content/facts/limits.yaml");
  const { limits } = parse(readFileSync(file, "utf8")) as { limits: { id: string; value: string }[] };
  const said = Object.fromEntries(limits.map(({ id, value }) => [id, value]));
  const kilobytes = (bytes: number) => (bytes < 1024 ** 2 ? `${bytes / 1024} KB` : `${bytes / 1024 ** 2} MB`);
  const facts: [string, string][] = [
    ["api.request-labels", "BuildService/CreateBuild"],
    ["api.request-trust", "ProjectService/Update"],
    ["api.request-trust-test", "ProjectService/TestTrust"],
  ];
  expect(facts.map(([, name]) => name).sort()).toEqual(large.map(nameOf).sort());
  for (const [id, name] of facts) {
    const { desc } = large.find((each) => nameOf(each) === name)!;
    expect([id, said[id]]).toEqual([id, kilobytes(requestLimits(desc).bytes)]);
  }
  expect(said["api.request"]).toBe("64 KB");
});

interface Told {
  code: string | number;
  message: string;
}

/** One endpoint's answer to a message in its format. */
interface Endpoint {
  name: string;
  isJson: boolean;
  send: (method: string, message: Uint8Array) => Promise<Told>;
}

const authorization = `Bearer ${OWNER_TOKEN}`;
const repeat = (count: number, ...bytes: number[]) => Buffer.alloc(count * bytes.length, Buffer.from(bytes));
const UNKNOWN = [0xf8, 0x3f, 1];
const NAMES: Record<number, string> = { 3: "invalid_argument", 8: "resource_exhausted" };
const toName = (status: string | null | undefined) => NAMES[Number(status)] ?? `gRPC's ${status}`;

describe("endpoints", () => {
  let server: Awaited<ReturnType<typeof openTestApi>>;
  const closers: (() => void)[] = [];
  let ports: { grpc: number; web: number };

  beforeAll(async () => {
    server = await openTestApi("sqlite", { rateLimitFactor: 0 });
    const handler = createGrpcHandler({ routes: (router) => server.api.routes(router) });
    const [grpc, web] = [createHttp2({}, handler), createHttp1(handler)];
    for (const each of [grpc, web]) {
      await new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve));
      closers.push(() => each.close());
    }
    ports = { grpc: (grpc.address() as AddressInfo).port, web: (web.address() as AddressInfo).port };
  });
  afterAll(async () => {
    for (const close of closers) close();
    await server[Symbol.asyncDispose]();
  });

  const post = (method: string, type: string, body: Uint8Array | ReadableStream<Uint8Array>) =>
    server.api.app.request(`/api/millrace.v1.${method}`, {
      method: "POST",
      headers: { authorization, "content-type": type },
      body: body as BodyInit,
      duplex: "half",
    } as RequestInit);

  const unary = (type: string) => async (method: string, message: Uint8Array) => {
    const answer = await post(method, type, message);
    if (answer.ok) return { code: "ok", message: "" };
    return (await answer.json()) as Told;
  };

  const stream = (type: string) => async (method: string, message: Uint8Array) => {
    const bytes = Buffer.from(await (await post(method, type, frameMessage(message))).arrayBuffer());
    const { error } = JSON.parse(bytes.subarray(5).toString()) as { error?: Told };
    return error ?? { code: "ok", message: "" };
  };

  const grpc = (type: string) => async (method: string, message: Uint8Array) => {
    const session = connect(`http://127.0.0.1:${ports.grpc}`);
    const call = session.request({
      ":method": "POST",
      ":path": `/millrace.v1.${method}`,
      "content-type": type,
      te: "trailers",
      authorization,
    });
    const told: Record<string, unknown> = {};
    const isOver = new Promise((resolve) => call.once("close", resolve));
    call.on("error", () => {});
    for (const event of ["response", "trailers"])
      call.on(event, (headers: Record<string, unknown>) => Object.assign(told, headers));
    call.resume().end(frameMessage(message));
    await isOver;
    session.destroy();
    const status = told["grpc-status"] as string;
    return {
      code: status === "0" ? "ok" : toName(status),
      message: decodeURIComponent((told["grpc-message"] as string | undefined) ?? ""),
    };
  };

  const web = (type: string) => async (method: string, message: Uint8Array) => {
    const answer = await fetch(`http://127.0.0.1:${ports.web}/millrace.v1.${method}`, {
      method: "POST",
      headers: { authorization, "content-type": type },
      body: new Uint8Array(frameMessage(message)),
    });
    const text = `${await answer.text()}\r\n${[...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\r\n")}`;
    const status = /grpc-status: (\d+)/.exec(text)?.[1];
    return {
      code: status === "0" ? "ok" : toName(status),
      message: decodeURIComponent(/grpc-message: ([^\r\n]*)/.exec(text)?.[1] ?? ""),
    };
  };

  const unaryEndpoints: Endpoint[] = [
    { name: "Connect, bytes", isJson: false, send: unary("application/proto") },
    { name: "Connect, JSON", isJson: true, send: unary("application/json") },
    { name: "gRPC", isJson: false, send: grpc("application/grpc") },
    { name: "gRPC, JSON", isJson: true, send: grpc("application/grpc+json") },
    { name: "gRPC-Web", isJson: false, send: web("application/grpc-web+proto") },
    { name: "gRPC-Web, JSON", isJson: true, send: web("application/grpc-web+json") },
  ];
  const streamEndpoints: Endpoint[] = [
    { name: "Connect's stream, bytes", isJson: false, send: stream("application/connect+proto") },
    { name: "Connect's stream, JSON", isJson: true, send: stream("application/connect+json") },
    { name: "gRPC's stream", isJson: false, send: grpc("application/grpc") },
    { name: "gRPC-Web's stream", isJson: false, send: web("application/grpc-web+proto") },
  ];
  const endpoints = [
    ...unaryEndpoints.map((endpoint) => ({ ...endpoint, method: "AccountService/WhoAmI", fields: 64 })),
    ...streamEndpoints.map((endpoint) => ({ ...endpoint, method: "BuildService/WatchBuild", fields: 65 })),
  ];

  test.each(endpoints)("2. too many, $name", async ({ send, isJson, method, fields }) => {
    // Neither JSON nor a message after the limit.
    const message = isJson
      ? Buffer.from(`{${'"a":1,'.repeat(200)}…`)
      : Buffer.concat([repeat(200, ...UNKNOWN), Buffer.from([0xff])]);
    expect(await send(method, message)).toMatchObject({
      code: "invalid_argument",
      message: `${method} takes at most ${fields} ${isJson ? "values" : "fields"} in one request.`,
    });
    if (!isJson) return;
    const deep = await send(method, Buffer.from("[".repeat(40)));
    expect([deep.code, deep.message]).toEqual([
      "invalid_argument",
      expect.stringMatching(/nested lists and objects/),
    ]);
  });

  test.each(endpoints.filter(({ isJson }) => !isJson))("3. hidden, $name", async ({ send, method }) => {
    const unknown = await send(method, repeat(1000, ...UNKNOWN));
    expect([unknown.code, unknown.message]).toEqual([
      "invalid_argument",
      expect.stringMatching(/at most 6\d fields/),
    ]);
    const group = Buffer.concat([
      Buffer.from([0xfb, 0x3f]),
      repeat(1000, 0x08, 1),
      Buffer.from([0xfc, 0x3f]),
    ]);
    expect((await send(method, group)).code).toBe("invalid_argument");
    // `page_size` as a text: the decoder would read its length, and then parse the text as fields.
    const hidden = Buffer.concat([Buffer.from([0x0a, 0x80, 0x10]), repeat(1024, 0x10, 1)]);
    if (method.startsWith("Account"))
      expect((await send("ProjectService/List", hidden)).code).toBe("invalid_argument");
  });

  test.each(endpoints)("4. too long, $name", async ({ send, isJson, method }) => {
    const long = isJson
      ? Buffer.from(`{}${" ".repeat(100_000)}`)
      : Buffer.alloc(100_000, Buffer.from([0x0a, 0]));
    const told = await send(method, long);
    expect([told.code, told.message]).toEqual([
      "resource_exhausted",
      expect.stringMatching(method.startsWith("Account") ? /4096/ : /20480/),
    ]);
  });

  test("4. what has come of it", async () => {
    for (const [type, method, head] of [
      ["application/proto", "AccountService/WhoAmI", Buffer.alloc(0)],
      ["application/json", "AccountService/WhoAmI", Buffer.alloc(0)],
      [
        "application/connect+proto",
        "BuildService/WatchBuild",
        frameMessage(Buffer.alloc(4e6)).subarray(0, 5),
      ],
    ] as const) {
      let taken = 0;
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            controller.enqueue(taken === 0 ? new Uint8Array(head) : repeat(1024, 0x20));
            taken += 1;
            if (taken > 4000) controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const answer = await post(method, type, body);
      expect(await answer.text()).toMatch(/resource_exhausted/);
      expect(taken).toBeLessThan(10);
    }
  });

  test.each(endpoints.filter(({ isJson }) => !isJson))(
    "5. a newer client, $name",
    async ({ send, method }) => {
      const told = await send(method, repeat(20, ...UNKNOWN));
      expect(told.code).not.toMatch(/exhausted/);
      expect(told.message).not.toMatch(/at most/);
      if (method.startsWith("Account")) expect(told.code).toBe("ok");
    },
  );

  test("1. the largest requests", async () => {
    const { call } = server;
    const { body } = await call("ProjectService/Create", { name: "large" });
    const claims = Object.fromEntries(
      Array.from({ length: 18 }, (_, at) => [`claim-${at}`, `${at} `.padEnd(500, "ü")]),
    );
    const relationship = {
      issuer: "https://token.actions.githubusercontent.com",
      claims: { repository: "acme/web", repository_owner: "acme", ...claims },
    };
    const update = await call("ProjectService/Update", {
      project_id: body.project.id,
      trust_relationships: Array.from({ length: 50 }, () => relationship),
    });
    expect(update.body.message ?? update.status).toBe(200);
    const labels = Object.fromEntries(
      Array.from({ length: 32 }, (_, at) => [`label-${at}`, "ü".repeat(1024)]),
    );
    const build = await call("BuildService/CreateBuild", { project_id: body.project.id, labels });
    expect(build.body.message ?? build.status).toBe(200);
    const more = await call("ProjectService/Update", {
      project_id: body.project.id,
      trust_relationships: Array.from({ length: 51 }, () => ({ ...relationship, claims: { sub: "a" } })),
    });
    expect(more.body.message).toMatch(/51 trust relationships/);
  });

  test("2. nothing of it is an error of the server", () => {
    expect(server.logged.filter((line) => line.includes("failed:"))).toEqual([]);
  });
});
