/** For tests: the cache's gRPC on a server, and tokens for it. */
import { createServer, type Http2Server, type ServerOptions } from "node:http2";
import type { AddressInfo } from "node:net";
import { createClient, type Client, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { create, type DescService, toBinary } from "@bufbuild/protobuf";
import { createHash, randomUUID } from "node:crypto";
import { createCallers, createProject } from "#accounts/index.ts";
import { addTestToken, makePerson, type TestPerson } from "#accounts/testing/accounts.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import type { AnsweredRequest } from "#platform/http/connections/watch-answers.ts";
import { openTestCache, type TestCache } from "./cache.ts";
import { createTraffic, type Traffic } from "../figures/traffic.ts";
import { createReapi, type Reapi } from "../reapi/reapi.ts";
import type { Decoders } from "../reapi/cas/receive-blob.ts";
import { ByteStream, WriteRequestSchema } from "../messages/gen/reapi/bytestream_pb.ts";
import {
  ActionCache,
  Capabilities,
  ContentAddressableStorage,
} from "../messages/gen/reapi/remote_execution_pb.ts";

export interface TestReapi extends Omit<TestCache, "close"> {
  server: Http2Server;
  port: number;
  reapi: Reapi;
  /** Tokens of the organization acme. */
  tokens: Record<"write" | "readOnly" | "project" | "projectReader" | "jobRead" | "other", string>;
  answers: AnsweredRequest[];
  traffic: Traffic;
  /** Milliseconds since 1970, to be moved. */
  time: { now: number };
  clients: (headers?: Record<string, string>) => TestClients;
  close: () => Promise<void>;
}

export interface TestClients {
  transport: Transport;
  capabilities: Client<typeof Capabilities>;
  actions: Client<typeof ActionCache>;
  storage: Client<typeof ContentAddressableStorage>;
  bytes: Client<typeof ByteStream>;
}

export async function openTestReapi(
  kind: DatabaseKind,
  {
    http2 = {},
    quotaBytes,
    decoders,
  }: { http2?: ServerOptions; quotaBytes?: number; decoders?: Decoders } = {},
): Promise<TestReapi> {
  const time = { now: Date.UTC(2026, 0, 1) };
  const test = await openTestCache(kind, { clock: () => time.now, ...(quotaBytes && { quotaBytes }) });
  const tokens = await makeTokens(test);
  const callers = createCallers(test.accounts, { clock: () => time.now });
  const traffic = createTraffic();
  const { log } = test.accounts;
  const clock = () => time.now;
  const reapi = createReapi(test.cache, { callers, traffic, log, clock, ...(decoders && { decoders }) });
  const answers: AnsweredRequest[] = [];
  const handler = createGrpcHandler({
    routes: () => {},
    raw: reapi.answer,
    listeners: [(answer) => void answers.push(answer)],
  });
  const server = createServer(http2, handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...test,
    server,
    port,
    reapi,
    tokens,
    answers,
    traffic,
    time,
    clients(headers = { authorization: `Bearer ${tokens.write}` }) {
      const transport = createGrpcTransport({
        baseUrl: `http://127.0.0.1:${port}`,
        interceptors: [
          (next) => (request) => {
            for (const [name, value] of Object.entries(headers)) request.header.set(name, value);
            return next(request);
          },
        ],
      });
      const client = <Service extends DescService>(service: Service) => createClient(service, transport);
      return {
        transport,
        capabilities: client(Capabilities),
        actions: client(ActionCache),
        storage: client(ContentAddressableStorage),
        bytes: client(ByteStream),
      };
    },
    async close() {
      server.close();
      await reapi.close();
      await test.close();
    },
  };
}

async function makeTokens(test: TestCache): Promise<TestReapi["tokens"]> {
  const [mine, others] = [await makePerson(test, "acme"), await makePerson(test, "other")];
  const project = await createProject(test.accounts, mine.caller, { name: "shop" });
  const organizationIdOf = ({ caller }: TestPerson) => caller.actor.organizationId;
  const make = (
    type: "org" | "project" | "job",
    more: Partial<Parameters<typeof addTestToken>[1]> = {},
  ): Promise<string> => addTestToken(test, { type, organizationId: organizationIdOf(mine), ...more });
  return {
    write: await make("org"),
    readOnly: await make("org", { readOnly: true }),
    project: await make("project", { projectId: project.id }),
    projectReader: await make("project", { projectId: project.id, readOnly: true }),
    jobRead: await make("job", { cache: "read" }),
    other: await make("org", { organizationId: organizationIdOf(others) }),
  };
}

/** In the protocol's form. */
export const digestOf = (bytes: Uint8Array) => ({
  hash: createHash("sha256").update(bytes).digest("hex"),
  sizeBytes: BigInt(bytes.length),
});

/** Messages of one ByteStream.Write, with the frames of gRPC. @param parts how many */
export function writeMessages(blob: Buffer, parts: number): Uint8Array[] {
  const { hash } = digestOf(blob);
  const resourceName = `uploads/${randomUUID()}/blobs/${hash}/${blob.length}`;
  const step = Math.ceil(blob.length / parts);
  return Array.from({ length: parts }, (_, part) => {
    const data = blob.subarray(part * step, (part + 1) * step);
    const [writeOffset, finishWrite] = [BigInt(part * step), part === parts - 1];
    const message = create(WriteRequestSchema, { resourceName, writeOffset, data, finishWrite });
    return frameMessage(toBinary(WriteRequestSchema, message));
  });
}
