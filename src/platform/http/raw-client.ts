/** For tests: a client that is as rude as a socket allows. */
import { connect, type Socket } from "node:net";

export interface RawClient {
  socket: Socket;
  /** What has arrived so far; nothing is read before the first call of `read`. */
  read: () => string;
  /** Resolves with everything received once it includes `text`, or the connection has ended. */
  until: (text: string) => Promise<string>;
  /** Resolves with everything received once the connection has ended, for whatever reason. */
  ended: () => Promise<string>;
}

/** @param from an address of this machine, such as 127.0.0.2, to act as another client */
export async function connectRaw(port: number, sent = "", from?: string): Promise<RawClient> {
  const socket = connect({ port, host: "127.0.0.1", ...(from && { localAddress: from }) });
  let received = "";
  let isReading = false;
  const isClosed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  // A reset is one of the endings that tests wait for.
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
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
