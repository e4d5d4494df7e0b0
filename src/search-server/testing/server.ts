import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import type { SearchRoutes } from "../routes.ts";

export interface TestServer {
  /** The host for official clients. */
  url: string;
  close: () => Promise<void>;
}

/** `serve` of `@hono/node-server`; given by the tests, because this folder may not import it. */
export type Serve = (
  options: { fetch: Hono["fetch"]; port: number; hostname: string },
  onListening: (address: AddressInfo) => void,
) => { close: (onClosed: () => void) => unknown; closeAllConnections?: () => void };

/** The protocol on a free port, below `/search` as on the site. */
export function startTestServer(serve: Serve, { admin }: Pick<SearchRoutes, "admin">): Promise<TestServer> {
  const app = new Hono().route("/search", admin);
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
      resolve({
        url: `http://127.0.0.1:${port}/search`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections?.();
          }),
      });
    });
  });
}
