/** HTTP/1.1 over a plain socket: a client that costs less than the servers it measures. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface HttpClient {
  /** @returns bytes of the body that was sent or received. Throws for a status that is not in `expected`. */
  send: (request: HttpRequest) => Promise<number>;
  close: () => void;
}

export interface HttpRequest {
  method: "GET" | "PUT" | "POST";
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: Buffer;
  expected: readonly number[];
}

interface Answer {
  head: Buffer;
  status: number;
  /** Bytes of the body that have not arrived yet; -1: its head has not. */
  left: number;
  received: number;
  /** Its length is not declared; its end is marked. */
  isChunked: boolean;
}

const newAnswer = (): Answer => ({
  head: Buffer.alloc(0),
  status: 0,
  left: -1,
  received: 0,
  isChunked: false,
});

const CHUNKS_END = Buffer.from("0\r\n\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");

export async function openHttp(port: number): Promise<HttpClient> {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  await once(socket, "connect");
  let wait: ((error: Error | null) => void) | null = null;
  let answer: Answer = newAnswer();
  const fail = (error: Error) => wait?.(error);
  socket.on("error", fail).on("close", () => fail(new Error("The server has closed the connection.")));
  socket.on("data", (chunk: Buffer) => {
    if (answer.left === -1) {
      answer.head = answer.head.length > 0 ? Buffer.concat([answer.head, chunk]) : chunk;
      const end = answer.head.indexOf(HEAD_END);
      if (end === -1) return;
      const text = answer.head.toString("latin1", 0, end);
      answer.status = Number(text.slice(9, 12));
      answer.isChunked = /\r\ntransfer-encoding: *chunked/i.test(text);
      answer.left = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
      chunk = answer.head.subarray(end + HEAD_END.length);
    }
    answer.left -= chunk.length;
    answer.received += chunk.length;
    const isOver = answer.isChunked
      ? chunk.subarray(-CHUNKS_END.length).equals(CHUNKS_END)
      : answer.left <= 0;
    if (isOver) wait?.(null);
  });
  return {
    async send({ method, path, headers, body, expected }) {
      answer = newAnswer();
      const lines = Object.entries({ host: "localhost", ...headers }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      const length = body ? `content-length: ${body.length}\r\n` : "";
      const done = new Promise<void>((resolve, reject) => {
        wait = (error) => (error ? reject(error) : resolve());
      });
      write(socket, Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}${length}\r\n`), body);
      await done;
      if (!expected.includes(answer.status))
        throw new Error(`${method} ${path} was answered with ${answer.status}.`);
      return body?.length ?? answer.received;
    },
    close: () => void socket.destroy(),
  };
}

function write(socket: Socket, head: Buffer, body: Buffer | undefined): void {
  if (!body) return void socket.write(head);
  if (body.length < 64_000) return void socket.write(Buffer.concat([head, body]));
  socket.cork();
  socket.write(head);
  socket.write(body);
  socket.uncork();
}
