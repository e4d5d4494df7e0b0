/** For tests: the server's side of the protocol, with its entries in a map, and with all kinds of failures. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Kept {
  output: string;
  time: string;
  bytes: Buffer;
}

export interface GoCacheServer {
  origin: string;
  entries: Map<string, Kept>;
  /** `POST /find`, `GET …` with the number of bytes or actions, in order. */
  requests: string[];
  authorization: Set<string | undefined>;
  /** Larger entries are not inline. */
  inlineBytes: number;
  /** Answers instead of the server, until it returns false. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  close: () => Promise<void>;
}

export async function startGoCacheServer(): Promise<GoCacheServer> {
  const state: GoCacheServer = {
    origin: "",
    entries: new Map(),
    requests: [],
    authorization: new Set(),
    inlineBytes: 64_000,
    intercept: undefined,
    close: async () => {},
  };
  const server = createServer((request, response) => {
    state.authorization.add(request.headers.authorization);
    if (state.intercept?.(request, response)) return;
    void answer(request, response, state).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return state;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  state: GoCacheServer,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const action = request.url?.replace("/cache/gocache/", "") ?? "";
  if (request.method === "POST" && action === "find") return answerFind(body, response, state);
  if (request.method === "PUT") {
    const { "x-output-id": output, "x-time": time } = request.headers;
    if (Number(request.headers["content-length"]) !== body.length) return void response.writeHead(400).end();
    state.entries.set(action, { output: String(output), time: String(time), bytes: body });
    state.requests.push(`PUT ${body.length}`);
    return void response.writeHead(201).end();
  }
  const kept = state.entries.get(action);
  state.requests.push(`GET ${kept?.bytes.length ?? "miss"}`);
  if (!kept) return void response.writeHead(404).end();
  response.writeHead(200, { "x-output-id": kept.output, "x-time": kept.time }).end(kept.bytes);
}

function answerFind(body: Buffer, response: ServerResponse, state: GoCacheServer): void {
  const { actions } = JSON.parse(body.toString()) as { actions: string[] };
  state.requests.push(`find ${actions.length}`);
  const contents: Buffer[] = [];
  const entries = actions.flatMap((action) => {
    const kept = state.entries.get(action);
    if (!kept) return [];
    const inline = kept.bytes.length <= state.inlineBytes;
    if (inline) contents.push(kept.bytes);
    return [{ action, output: kept.output, time: kept.time, size: kept.bytes.length, inline }];
  });
  response.end(Buffer.concat([Buffer.from(`${JSON.stringify({ entries })}\n`), ...contents]));
}
