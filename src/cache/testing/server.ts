/** For tests: the cache on a port, over HTTP/1.1 and HTTP/2, and tokens for it. */
import { createServer, request as httpRequest } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { createCallers, createProject, createToken } from "#accounts/index.ts";
import { makeJobToken, makePerson, type TestPerson } from "#accounts/testing/accounts.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import type { Log, LogFields } from "#platform/log/log.ts";
import { openTestCache, type TestCache } from "./cache.ts";
import type { CompleteActionResult } from "../tools/tool.ts";
import { createProtocols } from "../tools/protocols.ts";
import { type CacheHandlerOptions, createCacheHandler } from "../http/handler.ts";
import { createTraffic, type Traffic } from "../figures/traffic.ts";

export interface TestServer extends TestCache {
  /** `http://127.0.0.1:…`, for HTTP/1.1. */
  url: string;
  port: number;
  /** The same for HTTP/2. */
  http2Url: string;
  traffic: Traffic;
  /** Errors for the operator. */
  errors: LogFields[];
  owner: TestPerson;
  organizationId: string;
  projectId: string;
  /** Tokens of the organization `acme`. */
  tokens: Readonly<Record<"user" | "organization" | "project" | "reader" | "job" | "writingJob", string>>;
  ask: (method: string, path: string, options?: AskOptions) => Promise<Answer>;
}

export interface AskOptions {
  /** Default: an organization's. */
  token?: string | null;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
}

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  text: string;
}

export interface TestServerOptions extends Partial<CacheHandlerOptions> {
  kind?: DatabaseKind;
  quotaBytes?: number;
  rateLimitFactor?: number;
  completeActionResult?: CompleteActionResult;
}

export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const {
    kind = "sqlite",
    quotaBytes,
    completeActionResult = (_, __, bytes) => Promise.resolve(bytes),
  } = options;
  const errors: LogFields[] = [];
  const note = (_message: string, fields?: LogFields) => void errors.push(fields ?? {});
  const log: Log = { debug() {}, info() {}, warn: note, error: note, writes: () => false, flush() {} };
  const opened = await openTestCache(kind, { log, ...(quotaBytes && { quotaBytes }) });
  const traffic = createTraffic();
  const protocols = createProtocols(completeActionResult);
  const serve = () => {
    const { accounts, cache } = opened;
    const callers = createCallers(accounts, {
      ...(options.rateLimitFactor !== undefined && { rateLimitFactor: options.rateLimitFactor }),
    });
    return createCacheHandler({ cache, callers, protocols, traffic, log, ...options });
  };
  let handler = serve();
  const handle: typeof handler = (request, response) => handler(request, response);
  const servers = [createServer(handle), createHttp2Server(handle)] as const;
  for (const server of servers) server.on("checkContinue", handle);
  const [port, http2Port] = await Promise.all(servers.map(listen));
  const url = `http://127.0.0.1:${port}`;
  const people = await makePeople(opened);
  const server: TestServer = {
    ...opened,
    ...people,
    url,
    port: port!,
    http2Url: `http://127.0.0.1:${http2Port}`,
    traffic,
    errors,
    ask: (method, path, asked) =>
      ask({ port: port!, path, method }, { token: people.tokens.organization, ...asked }),
    async restart() {
      await opened.restart();
      Object.assign(server, opened, { restart: server.restart, close: server.close });
      handler = serve();
    },
    async close() {
      servers[0].closeAllConnections();
      for (const each of servers) each.close();
      await opened.close();
    },
  };
  return server;
}

const listen = (server: Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      // A port of TCP has an address with a port.
      resolve((server.address() as AddressInfo).port),
    ),
  );

async function makePeople({ accounts }: TestCache) {
  const owner = await makePerson({ accounts }, "ada", { organization: "acme" });
  const organizationId = owner.caller.actor.organizationId ?? "";
  const { id: projectId } = await createProject(accounts, owner.caller, { name: "web" });
  const make = async (type: string, more: object = {}) =>
    (await createToken(accounts, owner.caller, { name: `a ${type} token`, type, ...more })).secret;
  const job = await makeJobToken({ accounts }, { organizationId, projectId });
  const writingJob = await makeJobToken({ accounts }, { organizationId, projectId });
  await accounts.db.updateTable("tokens").set({ cache: "write" }).where("id", "=", writingJob.id).execute();
  const tokens = {
    user: await make("user"),
    organization: await make("org"),
    project: await make("project", { projectId }),
    reader: await make("org", { readOnly: true }),
    job: job.secret,
    writingJob: writingJob.secret,
  };
  return { owner, organizationId, projectId, tokens };
}

/** Over a connection of its own; rejects when it is cut. */
function ask(
  // As written: no part of the path is resolved.
  to: { port: number; path: string; method: string },
  { token, headers = {}, body }: AskOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      host: "127.0.0.1",
      ...to,
      agent: false,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined &&
          !headers["transfer-encoding"] && { "content-length": Buffer.byteLength(body) }),
        ...headers,
      },
    });
    sent.once("error", reject).once("response", (answer) => {
      const chunks: Buffer[] = [];
      answer
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .once("error", reject)
        .once("end", () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: bytes,
            text: bytes.toString("utf8"),
          });
        });
    });
    sent.end(body);
  });
}
