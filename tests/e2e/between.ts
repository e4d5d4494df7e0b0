import { createServer, request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Somebody between reader and server: a proxy, a cache, a network that answers for others. */
export interface Between {
  /** Where readers find the site. */
  origin: string;
  /** What is answered in the server's place, by path. */
  forged: Map<string, (response: ServerResponse, request: IncomingMessage) => void>;
  /** The paths that were asked for. */
  asked: string[];
  /** Nothing comes through, as without a network, except for what is forged. */
  isAway: boolean;
  close: () => Promise<void>;
}

/** Hands on everything to the server at `target`, except for what is forged. */
export async function standBetween(target: string): Promise<Between> {
  const forged: Between["forged"] = new Map();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", target);
    asked.push(pathname);
    const forge = forged.get(pathname);
    if (forge) return forge(response, request);
    if (between.isAway) return request.socket.destroy();
    const { host: _, ...headers } = request.headers;
    const sent = ask(new URL(request.url ?? "/", target), { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on("error", () => response.destroy());
    response.on("close", () => sent.destroy());
    return request.pipe(sent);
  });
  await new Promise<void>((listening) => server.listen(0, "localhost", listening));
  const between: Between = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    forged,
    asked,
    isAway: false,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return between;
}
