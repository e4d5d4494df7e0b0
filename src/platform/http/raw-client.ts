/** For tests: a client that misbehaves as far as a socket allows. */
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface RawClient {
  socket: Socket;
  /** Everything received so far; nothing is read before the first call of `read`. */
  read: () => string;
  /** Resolves with everything received once it includes `text`, or the connection has ended. */
  until: (text: string) => Promise<string>;
  /** Resolves with everything received once the connection has ended, for any reason. */
  ended: () => Promise<string>;
}

export interface RawOptions {
  /** An address of this machine, such as 127.0.0.2, to act as another client. */
  from?: string | undefined;
  /** The server's certificate: the socket uses TLS and HTTP/2. */
  ca?: Buffer | undefined;
}

export async function connectRaw(port: number, sent = "", { from, ca }: RawOptions = {}): Promise<RawClient> {
  const place = { port, host: "127.0.0.1", ...(from && { localAddress: from }) };
  const socket = ca
    ? connectTls({ ...place, ca, servername: "localhost", ALPNProtocols: ["h2"] })
    : connect(place);
  let received = "";
  let isReading = false;
  const isClosed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  // A reset is one of the endings that tests wait for.
  socket.on("error", () => {});
  await new Promise((resolve) =>
    socket.once(ca ? "secureConnect" : "connect", resolve).once("close", resolve),
  );
  if (sent) socket.write(sent);
  function read(): string {
    if (!isReading) socket.setEncoding("latin1").on("data", (chunk: string) => (received += chunk));
    isReading = true;
    return received;
  }
  return {
    socket,
    read,
    async until(text) {
      while (!read().includes(text) && !socket.destroyed)
        await Promise.race([isClosed, new Promise((resolve) => socket.once("data", resolve))]);
      return received;
    },
    async ended() {
      read();
      await isClosed;
      return received;
    },
  };
}

/** A request without a body. */
export const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
