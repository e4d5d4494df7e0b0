/**
 * The CLI's own end of a tunnel to a builder, with an echo server:
 *
 * 1. buildx' bytes go both ways, several connections at a time, at a unix socket in its folder, or a port of 127.0.0.1.
 *    Nothing listens after the end.
 * 2. A proxy of HTTP_PROXY is asked to connect, with its name and password; NO_PROXY bypasses it.
 * 3. An obstacle is reported in one line, before anything is built: a proxy without the lines for WebSocket, a proxy
 *    that refuses, a proxy that wants a password, no server, a path of another origin.
 * 4. A cut connection is reported with its seconds; one that the server ends is not, nor is a refusal after the build's
 *    end.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWebSocketStream, type WebSocket, WebSocketServer } from "ws";
import { createLocalEnds } from "../../cli/src/builds/local-ends.ts";
import type { BuilderServiceGetEndpointResponse } from "../../cli/src/client.ts";

const PATH = "/builders/connect";
let folder: string;
let told: string[];
const closers: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tunnel-"));
  told = [];
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends back everything that arrives in a tunnel. */
async function startEcho() {
  const sockets = new WebSocketServer({ noServer: true });
  const tunnels: { socket: WebSocket; request: IncomingMessage; raw: Socket }[] = [];
  const server = createServer((_request, response) => answer(response, 426, "text/plain", "WebSocket."));
  server.on("upgrade", (request, raw, head) =>
    sockets.handleUpgrade(request, raw, head, (socket) => {
      tunnels.push({ socket, request, raw: raw as Socket });
      const stream = createWebSocketStream(socket).on("error", () => {});
      stream.pipe(stream);
    }),
  );
  closers.push(() => tunnels.forEach(({ socket }) => socket.terminate()));
  return { origin: await listen(server), server, tunnels };
}

const answer = (response: ServerResponse, status: number, type: string, text: string) =>
  void response.writeHead(status, { "content-type": type }).end(text);

/** @param name of its folder; a long name leaves no room for a socket's path */
function open(origin: string, name = "") {
  const own = mkdtempSync(join(folder, name));
  const ends = createLocalEnds({ origin, folder: own, err: (text) => void told.push(text) });
  closers.push(() => ends[Symbol.asyncDispose]());
  const reach = (tunnelPath = PATH) => {
    const fields = { address: "", tunnelPath, tunnelToken: "of-the-build" };
    // The fields of an answer that it needs.
    return ends.reach(fields as BuilderServiceGetEndpointResponse);
  };
  return { ends, reach, own };
}

function dial(address: string): Socket {
  const { protocol, hostname, port, pathname } = new URL(address);
  const socket = protocol === "unix:" ? connect(pathname) : connect(Number(port), hostname);
  closers.push(() => socket.destroy());
  return socket.on("error", () => {});
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once("close", resolve));

async function echoes(address: string, size: number): Promise<boolean> {
  const socket = dial(address);
  let got = 0;
  socket.on("data", (part: Buffer) => (got += part.length));
  for (let at = 0; at < size; at += 100_000) socket.write(Buffer.alloc(100_000, at));
  await vi.waitFor(() => expect(got).toBe(size), { timeout: 20_000 });
  socket.destroy();
  return true;
}

test("1. both ways", async () => {
  const { origin, tunnels } = await startEcho();
  const { ends, reach, own } = open(origin);
  const address = await reach();
  expect(address).toBe(`unix://${join(own, "1.sock")}`);
  expect(await Promise.all([echoes(address, 3_000_000), echoes(address, 1_000_000)])).toEqual([true, true]);
  expect(tunnels.map(({ request }) => request.headers.authorization)).toEqual(
    tunnels.map(() => "Bearer of-the-build"),
  );
  const long = open(origin, "x".repeat(120));
  const port = await long.reach();
  expect(port).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/);
  expect(await echoes(port, 100_000)).toBe(true);
  for (const each of [ends, long.ends]) await each[Symbol.asyncDispose]();
  for (const each of [address, port]) await closed(dial(each));
  expect(told).toEqual([]);
});

test("2. a company's proxy", async () => {
  const { origin, tunnels } = await startEcho();
  const asked: string[] = [];
  const proxy = createServer().on("connect", (request: IncomingMessage, client: Socket) => {
    asked.push(`${request.url} ${request.headers["proxy-authorization"]}`);
    const far = connect(Number(new URL(origin).port), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      far.pipe(client).pipe(far);
    });
    for (const each of [far, client]) each.on("error", () => {});
  });
  const { host } = new URL(await listen(proxy));
  vi.stubEnv("HTTP_PROXY", `http://ada:secret@${host}`);
  expect(await echoes(await open(origin).reach(), 100_000)).toBe(true);
  const password = Buffer.from("ada:secret").toString("base64");
  expect(asked).toEqual([`${new URL(origin).host} Basic ${password}`]);
  vi.stubEnv("NO_PROXY", "127.0.0.1");
  expect(await echoes(await open(origin).reach(), 100_000)).toBe(true);
  expect([asked.length, tunnels.length]).toEqual([1, 2]);
});

test("3. who stands in the way", async () => {
  const { origin } = await startEcho();
  const refusing = (status: number, type: string, text: string) =>
    listen(createServer((_request, response) => answer(response, status, type, text)));
  const html = "<h1>\u001b[2Jno</h1>";
  for (const [at, message] of [
    [
      await refusing(426, "text/plain", "Builders are reached by WebSocket here."),
      /^http:\S+ responded with 426 to the WebSocket connection to the builder\. Its proxy must pass on the headers Upgrade and Connection: see http:\S+\/docs\/managed\/overview\/proxy#let-builds-through$/,
    ],
    [await refusing(403, "text/html", html), /^http:\S+ responded with 403 to the WebSocket/],
    [await refusing(502, "text/html", html), /is unreachable: the proxy in front of it responded with 502$/],
    [await refusing(407, "text/html", html), /^the proxy requires a username and password/],
    [
      await refusing(429, "text/plain", "This build has too many tunnels.\n"),
      /^the builder cannot be reached: This build has too many tunnels\.$/,
    ],
    ["http://127.0.0.1:1", /nothing is listening at http:\/\/127\.0\.0\.1:1/],
  ] as const)
    await expect(open(at).reach()).rejects.toThrow(message);
  await expect(open(origin).reach("//evil.example/builders")).rejects.toThrow(/that is not its own/);
  expect(told).toEqual([]);
});

test("4. cut, or ended", async () => {
  const { origin, server, tunnels } = await startEcho();
  const cut = open(origin);
  const client = dial(await cut.reach());
  client.write("x");
  await once(client, "data");
  tunnels[0]!.raw.destroy();
  await once(client, "close");
  cut.ends.tell();
  expect(told).toEqual([
    expect.stringMatching(
      /^millrace: the connection to the builder was lost after \d+ s: .*#let-builds-through for the timeouts.*\n$/,
    ),
  ]);
  const ended = open(origin);
  const address = await ended.reach();
  const other = dial(address);
  other.write("x");
  await once(other, "data");
  tunnels[1]!.socket.close(1000);
  await once(other, "close");
  server.removeAllListeners("upgrade").removeAllListeners("request");
  server.on("request", (_request, response) => answer(response, 410, "text/plain", "This build has ended."));
  await closed(dial(address));
  ended.ends.tell();
  expect(told).toHaveLength(1);
});
