/** Stands between a client and the server, which it asks in clear text: counts the frames of HTTP/2, and holds back answers on demand. */
import { once } from "node:events";
import { constants } from "node:http2";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { PREFACE, TYPE } from "#platform/http/raw-frames.ts";

export interface FrameProxy {
  port: number;
  /** Requests of the client on all connections. */
  requests: number;
  resets: number;
  /** Answers that the server has begun. */
  answers: number;
  /** Connections that the client has opened. */
  connections: number;
  /** The most resets on one connection. */
  mostResets: number;
  /** The code of each GOAWAY of the server that is an error; a GOAWAY without an error is a normal end. */
  goaways: number[];
  /**
   * From this request of a connection on, its answers are held back; null: none are. `network`: they are under way.
   * `server`: the server cannot send them, and then reads nothing either, until it is released.
   */
  hold: { from: number; at: "network" | "server" } | null;
  /** Releases all answers. */
  release: () => void;
  close: () => Promise<void>;
}

const HEAD_BYTES = 9;
/** Offset of the error code in a GOAWAY, after the last stream. */
const CODE_AT = 4;

/** @param pair a certificate and its key, for clients that speak HTTP/2 only within TLS */
export async function startFrameProxy(
  serverPort: number,
  pair?: { cert: Buffer; key: Buffer },
): Promise<FrameProxy> {
  const open = new Set<Socket>();
  const held = new Set<() => void>();
  const server = pair
    ? createTlsServer({ ...pair, ALPNProtocols: ["h2"] }, (client) => serve(client))
    : createServer((client) => serve(client));
  function serve(client: Socket): void {
    const upstream = connect(serverPort, "127.0.0.1");
    proxy.connections += 1;
    let [requests, resets] = [0, 0];
    let isHeld = false;
    const end = () => (client.destroy(), upstream.destroy());
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {}).on("close", () => (open.delete(socket), end()));
    }
    const sent = createFrameReader(PREFACE.length, (type) => {
      if (type === TYPE.reset) {
        resets += 1;
        proxy.resets += 1;
        proxy.mostResets = Math.max(proxy.mostResets, resets);
      }
      if (type !== TYPE.headers) return;
      requests += 1;
      proxy.requests += 1;
      if (proxy.hold === null || requests < proxy.hold.from || isHeld) return;
      isHeld = true;
      if (proxy.hold.at === "server") upstream.pause();
      else client.cork();
      held.add(() => {
        isHeld = false;
        upstream.resume();
        client.uncork();
      });
    });
    const answered = createFrameReader(0, (type, payload) => {
      if (type === TYPE.headers) proxy.answers += 1;
      const code = type === TYPE.goaway ? payload.readUInt32BE(CODE_AT) : constants.NGHTTP2_NO_ERROR;
      if (code !== constants.NGHTTP2_NO_ERROR) proxy.goaways.push(code);
    });
    client.on("data", (chunk: Buffer) => (sent(chunk), upstream.write(chunk)));
    upstream.on("data", (chunk: Buffer) => (answered(chunk), client.write(chunk)));
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: FrameProxy = {
    // It listens on a port.
    port: (server.address() as AddressInfo).port,
    requests: 0,
    resets: 0,
    answers: 0,
    connections: 0,
    mostResets: 0,
    goaways: [],
    hold: null,
    release() {
      proxy.hold = null;
      for (const letGo of held) letGo();
      held.clear();
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
  return proxy;
}

/** @param skip bytes before the first frame */
function createFrameReader(skip: number, onFrame: (type: number, payload: Buffer) => void) {
  let rest = Buffer.alloc(0);
  let left = skip;
  return (chunk: Buffer) => {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    rest = Buffer.concat([rest, chunk.subarray(skipped)]);
    while (rest.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + rest.readUIntBE(0, 3);
      if (rest.length < end) return;
      onFrame(rest[3]!, rest.subarray(HEAD_BYTES, end));
      rest = rest.subarray(end);
    }
  };
}
