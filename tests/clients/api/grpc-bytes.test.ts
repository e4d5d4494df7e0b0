/**
 * Over gRPC, byte by byte:
 *
 * 1. Whatever is sent, the call ends with a status, whichever protocol and address it names.
 * 2. `grpc-timeout` ends a call that takes longer.
 * 3. A client that calls too often has to wait, as with JSON.
 * 4. A request with an invalid `Host` does no harm.
 */
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { connect } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { UsageServiceGetUsageRequestSchema } from "#api/gen/millrace/v1/usage_service_pb.ts";
import { OWNER_TOKEN, type RunningApi, startApi } from "./api-server.ts";

let api: RunningApi;
let session: ClientHttp2Session;
const limited: string[] = [];
beforeAll(async () => {
  api = await startApi({ takeCall: (_caller, address) => (limited.includes(address ?? "") ? 7 : 0) });
  session = connectHttp2(api.origin);
});
afterAll(async () => {
  session.close();
  await api[Symbol.asyncDispose]();
});

interface Sent {
  path: string;
  type: string;
  body: Uint8Array;
  headers?: Record<string, string>;
}

interface Ended {
  status: number;
  grpcStatus: string | undefined;
  body: string;
}

function send({ path, type, body, headers = {} }: Sent): Promise<Ended> {
  const authorization = `Bearer ${OWNER_TOKEN}`;
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": type,
    authorization,
    ...headers,
  });
  return new Promise((resolve, reject) => {
    const ended: Ended = { status: 0, grpcStatus: undefined, body: "" };
    const read = (fields: Record<string, unknown>) => {
      ended.grpcStatus ??= fields["grpc-status"]?.toString();
    };
    stream.on("response", (fields) => {
      ended.status = Number(fields[":status"]);
      read(fields);
    });
    stream.on("trailers", read);
    stream.on("data", (chunk) => (ended.body += String(chunk)));
    stream.on("error", reject);
    stream.on("close", () => resolve(ended));
    stream.end(body);
  });
}

const frame = (message: Uint8Array): Uint8Array => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

test("1. random bytes", async () => {
  const path = fc.constantFrom(
    ...[
      "ProjectService/List",
      "TokenService/ExchangeOidcToken",
      "SessionService/Stream",
      "None/None",
    ].flatMap((method) => [`/millrace.v1.${method}`, `/api/millrace.v1.${method}`]),
  );
  const type = fc.constantFrom(
    "application/grpc",
    "application/grpc+proto",
    "application/grpc+json",
    "application/grpc-web+proto",
    "application/grpc-web-text",
    "application/grpc+none",
  );
  const bytes = fc.uint8Array({ maxLength: 60 });
  const body = fc.oneof(bytes, bytes.map(frame));
  await fc.assert(
    fc.asyncProperty(path, type, body, async (path, type, body) => {
      const { status, grpcStatus, body: text } = await send({ path, type, body });
      expect([200, 415]).toContain(status);
      if (status === 200) expect(grpcStatus ?? /grpc-status: ?(\d+)/i.exec(text)?.[1]).toMatch(/^\d+$/);
      expect(text).not.toMatch(/node_modules/);
    }),
    { numRuns: 400 },
  );
});

test("2. grpc-timeout", async () => {
  const slow = vi.spyOn(api.accounts.uses, "flush").mockReturnValue(new Promise(() => {}));
  const from = timestampFromMs(0);
  const message = toBinary(
    UsageServiceGetUsageRequestSchema,
    create(UsageServiceGetUsageRequestSchema, { from }),
  );
  const call = { path: "/millrace.v1.UsageService/GetUsage", type: "application/grpc", body: frame(message) };
  expect(await send({ ...call, headers: { "grpc-timeout": "50m" } })).toMatchObject({ grpcStatus: "4" });
  slow.mockRestore();
  expect(await send(call)).toMatchObject({ grpcStatus: "0" });
});

test("3. too often", async () => {
  limited.push("127.0.0.1");
  const call = {
    path: "/millrace.v1.ProjectService/List",
    type: "application/grpc",
    body: frame(new Uint8Array()),
  };
  expect(await send(call)).toMatchObject({ grpcStatus: "8" });
  limited.pop();
  expect(await send(call)).toMatchObject({ grpcStatus: "0" });
});

test("4. an invalid Host", async () => {
  for (const host of ["[", "%%%", "a b", ""]) {
    const socket = connect(api.port, "127.0.0.1");
    socket.end(
      [
        "POST /millrace.v1.ProjectService/List HTTP/1.1",
        `Host: ${host}`,
        "Content-Type: application/grpc-web+proto",
        "Content-Length: 0",
        "Connection: close",
        "\r\n",
      ].join("\r\n"),
    );
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 (?:200|400) /);
  }
});
