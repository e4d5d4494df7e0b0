/** The server behind a proxy: HTTP/1.1 and HTTP/2 in clear text on one port, with answers that a test can hold back. */
import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from "node:http";
import {
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface OnePortServer {
  port: number;
  /** Resolves when so many bytes of uploads have arrived. */
  received: (bytes: number) => Promise<void>;
  /** Lets answers of `/stream` end. */
  goOn: () => void;
  close: () => void;
}

/**
 * `/echo` answers with its request, `/upload` with the number of bytes received, `/stream` "first" and, after `goOn`,
 * "second". An upgraded connection gets its bytes back, and so does gRPC, with its trailers; `/refuse` answers gRPC
 * with trailers alone.
 */
export async function startOnePortServer(): Promise<OnePortServer> {
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let uploaded = 0;
  let goOn = () => {};
  const isReleased = new Promise<void>((resolve) => (goOn = resolve));

  const http1 = createHttp1Server((request, response) => {
    if (request.url === "/stream") return void stream(response);
    if (request.url === "/upload") return count(request, response);
    const { method, url, httpVersion, headers } = request;
    return void response.end(JSON.stringify({ method, url, httpVersion, headers }));
  });
  http1.on("upgrade", (_request, socket: Socket, head) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    socket.write(head);
    socket.pipe(socket);
  });
  const http2 = createHttp2Server().on("stream", answerGrpc);

  async function stream(response: ServerResponse) {
    response.write("first\n");
    await isReleased;
    response.end("second\n");
  }

  function count(request: IncomingMessage, response: ServerResponse) {
    request.on("data", (chunk: Buffer) => {
      uploaded += chunk.length;
      for (const look of waiting) look();
    });
    request.on("end", () => response.end(String(uploaded)));
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.once("readable", () => {
      const first = socket.read() as Buffer | null;
      if (!first) return;
      socket.unshift(first);
      (first.toString("latin1").startsWith("PRI ") ? http2 : http1).emit("connection", socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received: (bytes) =>
      new Promise((resolve) => {
        const look = () => {
          if (uploaded < bytes) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    goOn,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function answerGrpc(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
  const type = { ":status": 200, "content-type": "application/grpc" };
  stream.on("error", () => {});
  if (headers[":path"] === "/refuse")
    return stream.respond({ ...type, "grpc-status": "7", "grpc-message": "no" }, { endStream: true });
  stream.respond({ ...type, "x-asked": JSON.stringify(headers) }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.on("data", (chunk: Buffer) => stream.write(chunk));
  return stream.on("end", () => stream.end());
}
