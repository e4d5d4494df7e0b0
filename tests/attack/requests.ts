/** Requests as an attacker sends them: one connection each, any bytes, with bounded time and answer size. */
import { type Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { ANSWER_TIMEOUT_MS } from "./bounds.ts";

export interface Sent {
  method?: string;
  path: string;
  headers?: { [name: string]: string };
  body?: string | Buffer;
  /** Its length is not announced. */
  isChunked?: boolean;
  /** The attacker's own address; Linux has all of 127.0.0.0/8. */
  from?: string;
  /** Keeps connections open; without an agent each request has its own. */
  agent?: Agent;
  timeoutMs?: number;
  /** How much of the answer is read. */
  maxBytes?: number;
}

export interface Answer {
  /** 0 when there was no answer. */
  status: number;
  headers: { [name: string]: string | undefined };
  body: Buffer;
  /** Why there was no answer, or why it ended early. */
  failure: string | null;
}

const READ_BYTES = 128 * 1024 * 1024;

export function send(port: number, sent: Sent): Promise<Answer> {
  const { method = "GET", path, headers = {}, body, timeoutMs = ANSWER_TIMEOUT_MS } = sent;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let received: Answer["headers"] = {};
    let length = 0;
    const end = (failure: string | null) => {
      clearTimeout(giveUp);
      resolve({ status, headers: received, body: Buffer.concat(chunks), failure });
      if (failure !== null || !sent.agent) outgoing.destroy();
    };
    const giveUp = setTimeout(() => end(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
    const outgoing = request(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        agent: sent.agent ?? false,
        headers: {
          ...(body !== undefined && !sent.isChunked && { "content-length": Buffer.byteLength(body) }),
          ...headers,
        },
        ...(sent.from && process.platform === "linux" && { localAddress: sent.from }),
      },
      (answer) => {
        status = answer.statusCode ?? 0;
        // Only Set-Cookie is a list, and it is not needed here.
        received = Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
        );
        answer.on("data", (chunk: Buffer) => {
          length += chunk.length;
          if (length > (sent.maxBytes ?? READ_BYTES)) return end("the answer does not end");
          return chunks.push(chunk);
        });
        answer.on("end", () => end(null));
        answer.on("error", (error) => end(error.message));
      },
    );
    outgoing.on("error", (error) => end(error.message));
    outgoing.on("upgrade", () => end("the server changed the protocol"));
    outgoing.on("connect", () => end("the server opened a tunnel"));
    outgoing.end(body);
  });
}

export function json(path: string, body: unknown, more: Partial<Sent> = {}): Sent {
  const { headers, ...rest } = more;
  return {
    method: "POST",
    path,
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...rest,
    headers: { "content-type": "application/json", ...headers },
  };
}

/** Sends exactly these bytes on a new connection. */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  options: { from?: string; timeoutMs?: number } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = openSocket(port, options.from);
    let text = "";
    const end = () => {
      clearTimeout(giveUp);
      socket.destroy();
      resolve(text);
    };
    const giveUp = setTimeout(end, options.timeoutMs ?? ANSWER_TIMEOUT_MS);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (text.length > 1_000_000) end();
    });
    socket.on("end", end);
    socket.on("close", end);
    socket.on("error", end);
    socket.write(bytes);
  });
}

export function openSocket(port: number, from?: string): Socket {
  const socket = connect({
    host: "127.0.0.1",
    port,
    ...(from && process.platform === "linux" && { localAddress: from }),
  });
  // Callers that wait for something listen themselves; a refused connection must not end the attacker.
  socket.on("error", () => {});
  return socket;
}

/** Runs `work` for each number below `count`, `width` at a time. */
export async function inParallel<Result>(
  count: number,
  width: number,
  work: (number: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const number = next++;
      results[number] = await work(number);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
  return results;
}

/** An address for one attacker, one of four million; all are different. */
export function clientAddress(number: number): string {
  return `127.${1 + (Math.floor(number / 64_516) % 64)}.${Math.floor(number / 254) % 254}.${1 + (number % 254)}`;
}
