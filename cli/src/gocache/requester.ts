/** Requests to the server over persistent connections, with limits for time and size. The only place that uses HTTP. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { errorCode } from "../errors.ts";
import { CONNECTIONS, MS_PER_BYTE, REQUEST_MS, SILENCE_MS } from "./limits.ts";

export interface Asked {
  method: "GET" | "PUT" | "POST";
  /** Path from the origin: `/cache/gocache/…`. */
  path: string;
  headers?: { [name: string]: string };
  /** Bytes, or a way to read them from the start. */
  body?: Uint8Array | { size: number; open: () => Readable } | undefined;
  /** The expected bytes of the answer. */
  answerBytes?: number;
}

export interface Answered {
  status: number;
  headers: { [name: string]: string | string[] | undefined };
  /** The caller must read or destroy it. */
  body: Readable;
}

export interface Requester {
  /** @throws Error, as the body does, if the connection fails or the time is over */
  ask: (asked: Asked) => Promise<Answered>;
  /** Ends running requests. */
  close: () => void;
}

export interface RequesterOptions {
  origin: string;
  /** Sent with every request. */
  headers: { [name: string]: string };
  env: NodeJS.ProcessEnv;
}

const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];

/** The error code for a server that sends nothing. */
export const SILENT = "SILENT";

export async function openRequester(options: RequesterOptions): Promise<Requester> {
  const hasProxy = PROXY_VARIABLES.some((name) => options.env[name]);
  const requester = await (hasProxy ? openProxied(options) : openDirect(options));
  let isClosed = false;
  return {
    async ask(asked) {
      try {
        return await requester.ask(asked);
      } catch (error) {
        // The server may close a persistent connection while a request is being sent on it.
        const mayPass = errorCode(error) === "ECONNRESET" || errorCode(error) === "EPIPE";
        if (!mayPass || isClosed) throw error;
        return requester.ask(asked);
      }
    },
    close() {
      isClosed = true;
      requester.close();
    },
  };
}

/** Node.js's own client: a proxied one takes five times as long to load. */
async function openDirect({ origin, headers: common }: RequesterOptions): Promise<Requester> {
  const url = new URL(origin);
  const { Agent, request: send } =
    url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return {
    close: () => agent.destroy(),
    ask: ({ method, path, headers, body, answerBytes = 0 }) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const size = sizeOf(body);
        const request = send(new URL(path, url), {
          agent,
          method,
          headers: { ...common, ...headers, ...(body ? { "content-length": size } : {}) },
          timeout: SILENCE_MS,
          signal: AbortSignal.timeout(timeFor(size + answerBytes)),
        });
        request.on("timeout", () => request.destroy(silence()));
        request.on("error", reject);
        request.on("response", resolve);
        if (body === undefined || body instanceof Uint8Array) request.end(body);
        else
          body
            .open()
            .on("error", (error) => request.destroy(error))
            .pipe(request);
      }).then((answer) => ({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer })),
  };
}

async function openProxied({ origin, headers: common }: RequesterOptions): Promise<Requester> {
  const { EnvHttpProxyAgent, request } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({
    connections: CONNECTIONS,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    connect: { timeout: SILENCE_MS },
  });
  return {
    close: () => void dispatcher.destroy(),
    async ask({ method, path, headers, body, answerBytes = 0 }) {
      const size = sizeOf(body);
      const { statusCode, ...answer } = await request(new URL(path, origin), {
        dispatcher,
        method,
        headers: { ...common, ...headers, ...(body ? { "content-length": String(size) } : {}) },
        body: body === undefined || body instanceof Uint8Array ? (body ?? null) : body.open(),
        signal: AbortSignal.timeout(timeFor(size + answerBytes)),
      });
      return { status: statusCode, headers: answer.headers, body: answer.body };
    },
  };
}

const silence = (): Error =>
  Object.assign(new Error(`no response for ${SILENCE_MS / 1000} s`), { code: SILENT });

const sizeOf = (body: Asked["body"]): number =>
  body === undefined ? 0 : body instanceof Uint8Array ? body.length : body.size;

const timeFor = (bytes: number): number => Math.round(REQUEST_MS + bytes * MS_PER_BYTE);

/** @throws Error if there are more bytes */
export async function readAll(body: Readable, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    // A stream without an encoding yields buffers.
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > mostBytes) throw new Error(`the response has more than ${mostBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
