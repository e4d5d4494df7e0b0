/**
 * Sends bodies over a few open connections, as fast as they are answered. Plain sockets: cheaper than the
 * server.
 */
import { connect, type Socket } from "node:net";

export interface LoadOptions {
  port: number;
  path: string;
  bodies: readonly string[];
  connections: number;
  acceptEncoding: string;
  /** Additional header lines. */
  headers?: readonly string[];
}

/** Bytes of all answers' bodies. @throws on the first answer that is not a 200. */
export async function sendLoad(options: LoadOptions): Promise<{ bytes: number }> {
  const bodies = options.bodies.values();
  let bytes = 0;
  const connection = async () => {
    const socket = connect(options.port, "127.0.0.1").setNoDelay(true);
    const receive = createReceiver(socket);
    for (const body of bodies) {
      socket.write(requestOf(body, options));
      const length = await receive();
      bytes += length;
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: options.connections }, connection));
  return { bytes };
}

function requestOf(body: string, { path, acceptEncoding, headers = [] }: LoadOptions): string {
  return [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Accept-Encoding: ${acceptEncoding}`,
    ...headers,
    "",
    body,
  ].join("\r\n");
}

/** Waits for one whole answer. @returns the length of its body */
function createReceiver(socket: Socket): () => Promise<number> {
  let received = Buffer.alloc(0);
  let settle: { resolve: (length: number) => void; reject: (error: Error) => void } | null = null;
  socket.on("data", (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const head = received.toString("latin1", 0, headEnd);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? NaN);
    if (!head.startsWith("HTTP/1.1 200 ") || Number.isNaN(length)) {
      settle?.reject(new Error(`The server answered ${received.toString("utf8")}`));
    } else if (received.length >= headEnd + 4 + length) {
      received = Buffer.alloc(0);
      settle?.resolve(length);
    }
  });
  socket.on("error", (error) => settle?.reject(error));
  socket.on("close", () => settle?.reject(new Error("The server closed the connection.")));
  return () => new Promise((resolve, reject) => (settle = { resolve, reject }));
}
