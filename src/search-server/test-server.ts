import type { AddressInfo } from "node:net";
import type { Hono } from "hono";

export interface TestServer {
  url: string;
  close: () => Promise<void>;
}

/** `serve` of `@hono/node-server`; given by the tests, because this folder may not import it. */
export type Serve = (
  options: { fetch: Hono["fetch"]; port: number; hostname: string },
  onListening: (address: AddressInfo) => void,
) => { close: (onClosed: () => void) => unknown; closeAllConnections?: () => void };

/** The application on a free port. */
export function startTestServer(serve: Serve, app: Hono): Promise<TestServer> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections?.();
          }),
      });
    });
  });
}
