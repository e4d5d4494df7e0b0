/**
 * The registry as a builder sees it:
 * 1. A request names one host that is plausible, or is answered with 400 before any work is done for it.
 * 2. Nothing except the registry is reachable.
 */
import { once } from "node:events";
import { connect, Server } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { openTestRegistry } from "#registry/testing/registry.ts";
import { createBuilderEndpoint } from "./builder-endpoint.ts";

async function start() {
  const opened = await openTestRegistry("sqlite", { isInMemory: true });
  const { registry, database, traffic } = opened;
  const whose = { organizationId: "org_a", projectId: "prj_a" };
  const log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} };
  const server = new Server();
  createBuilderEndpoint({ registry, database, traffic, log })(server, whose);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    await opened.close();
  });
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return async (path: string, ...headers: string[]) => {
    const socket = connect(port, "127.0.0.1");
    socket.end([`GET ${path} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n"));
    return (await text(socket)).split(" ")[1];
  };
}

test("1. and 2. what is asked inside a builder", async () => {
  const ask = await start();
  // The registry's own answer to a request without a token.
  expect(await ask("/v2/", "Host: registry.example")).toBe("401");
  expect(await ask("/v2/", "Host: registry.example", "Host: evil.example")).toBe("400");
  expect(await ask("/v2/", "Host: registry.example", "host: registry.example")).toBe("400");
  expect(await ask("http://evil.example/v2/", "Host: registry.example")).toBe("400");
  expect(await ask("/v2/", "Host: a@b")).toBe("400");
  expect(await ask("/docs", "Host: registry.example")).toBe("404");
  expect(await ask("/v2/", "Host: registry.example")).toBe("401");
});
