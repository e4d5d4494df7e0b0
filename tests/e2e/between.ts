import { createServer, request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A party between reader and server: a proxy, a cache, a network that answers for others. */
export interface Between {
  /** The site's address for readers. */
  origin: string;
  /** Answers in the server's place, by path. */
  forged: Map<string, (response: ServerResponse, request: IncomingMessage) => void>;
  /** Requested paths. */
  asked: string[];
  /** Nothing passes, as without a network, except for forged answers. */
  isAway: boolean;
  close: () => Promise<void>;
}

/** Passes everything on to the server at `target`, except for forged paths. */
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
