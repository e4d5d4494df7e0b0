/**
 * Tunnels to the builder endpoint:
 *
 * 1. A client with its build's token and certificate calls its builder through a tunnel, with any amount of data both ways; while
 *    both are silent, bytes go both ways.
 * 2. Without the token of a running build there is no tunnel: no token, a wrong or an old one, that of a build that has ended, or a
 *    request by a page.
 * 3. A token does not replace a certificate: inside the tunnel the client shows its certificate in time, or the tunnel ends.
 * 4. Text, a frame that is too large, and bytes that are not TLS end the tunnel, and no other; pings get no answer.
 * 5. One build has a bounded number of tunnels; another build gets its own.
 * 6. When a build is cut, or the endpoint closes, tunnels end with a WebSocket close; after that none is opened.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { CLOCKS_DIFFER_MS } from "../certificates/certificates.ts";
import { createBuildProxy } from "./create-build-proxy.ts";
import { MAX_BUILD_CONNECTIONS, TUNNEL_FRAME_BYTES } from "./limits.ts";
import { answerMessages, ask, CONTROL, HOUR_MS, joinLoopback, useTestProxy } from "../testing/proxy.ts";

vi.mock("./limits.ts", async (original) => ({
  ...(await original<object>()),
  HANDSHAKE_MS: 2500,
  PING_MS: 300,
}));

const place = useTestProxy();
const PLATFORM = "linux/amd64";
const ALLOWED = `${CONTROL}ListWorkers`;
let port = 0;
let server: Server;
const clients = new Set<WebSocket>();
const openPort = async (take: (request: IncomingMessage, socket: Socket, head: Buffer) => void) => {
  const opened = createServer().on("upgrade", (request, socket, head) =>
    take(request, socket as Socket, head),
  );
  opened.listen(0, "127.0.0.1");
  await once(opened, "listening");
  return opened;
};
const portOf = (opened: Server) => (opened.address() as AddressInfo).port;

beforeAll(async () => {
  server = await openPort((...asked) => place().proxy.takeTunnel(...asked));
  port = portOf(server);
});
afterEach(() => {
  for (const client of clients) client.terminate();
  clients.clear();
  for (const id of place().builds.keys()) place().proxy.cut(id);
  place().builds.clear();
});
afterAll(() => server.close());

const tokenOf = (buildId: string, until = Date.now() + HOUR_MS) =>
  place().tunnelTokens.sign(buildId, PLATFORM, until);

interface Opening {
  token?: string;
  headers?: Record<string, string>;
  at?: number;
}

/** @returns the tunnel, or the status and text of a refusal */
async function open({ token, headers = {}, at = port }: Opening): Promise<WebSocket | string> {
  const client = new WebSocket(`ws://127.0.0.1:${at}/builders/connect`, {
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
  });
  clients.add(client);
  client.on("error", () => {});
  return new Promise((resolve) => {
    client.once("open", () => resolve(client));
    client.once("unexpected-response", (_request, answer) => {
      const text = answer.toArray().then((parts: unknown[]) => parts.map(String).join("").trim());
      void text.then((reason) => resolve(`${answer.statusCode} ${reason}`));
    });
  });
}

async function openTunnel(buildId: string): Promise<WebSocket> {
  const client = await open({ token: tokenOf(buildId) });
  if (typeof client === "string") throw new Error(client);
  return client;
}

const codeOf = async (client: WebSocket): Promise<number> => (await once(client, "close"))[0] as number;

/** As a client inside the tunnel. */
async function speakTls(tunnel: WebSocket, buildId: string | null): Promise<TLSSocket> {
  const pair = buildId === null ? null : await place().certify(buildId);
  const tls = connectTls({
    socket: await joinLoopback(tunnel),
    servername: "builders.millrace.internal",
    ca: place().authority.certificate,
    ...(pair && { cert: pair.certificate, key: pair.key }),
    ALPNProtocols: ["h2"],
  });
  tls.on("error", () => {});
  await once(tls, "secureConnect");
  return tls;
}

async function speak(tunnel: WebSocket, buildId: string): Promise<ClientHttp2Session> {
  const tls = await speakTls(tunnel, buildId);
  const session = connectHttp2("https://localhost", { createConnection: () => tls });
  return session.on("error", () => {});
}

function begin(buildId: string): void {
  place().builds.set(buildId, place().live());
}

test("1. calls, both ways", async () => {
  begin("bld_a");
  const tunnel = await openTunnel("bld_a");
  const session = await speak(tunnel, "bld_a");
  const bytes = Buffer.alloc(5_000_000, "x");
  place().behaviour.answer = ({ stream }) => answerMessages(stream, [bytes]);
  const answer = await ask(session, ALLOWED);
  expect([answer.status, answer.bytes.length]).toEqual([0, bytes.length + 5]);
  const sent = await ask(session, `${CONTROL}Solve`, Buffer.alloc(3_000_000, 0xff));

  // The message arrived, and is not a solve.
  expect(sent.status).toBe(3);
  const got: number[] = [];
  tunnel.on("message", (part: Buffer) => got.push(part.length));
  // The endpoint pings the client, and disconnects clients that do not answer.
  await vi.waitFor(() => expect(got.length).toBeGreaterThan(4), { timeout: 10_000 });
  expect((await ask(session, ALLOWED)).status).toBe(0);
});

test("2. without the token of a running build", async () => {
  begin("bld_a");
  const old = tokenOf("bld_a", Date.now() - 1 - CLOCKS_DIFFER_MS);
  for (const token of [undefined, "", "x", `${tokenOf("bld_a")}x`, old])
    expect(await open(token === undefined ? {} : { token })).toMatch(/^401 The tunnel_token of a build is/);
  expect(await open({ token: tokenOf("bld_ended") })).toBe("410 This build has ended: start another.");
  const page = { token: tokenOf("bld_a"), headers: { origin: "https://evil.example" } };
  expect(await open(page)).toBe("403 Web pages cannot open tunnels to builders.");
  const elsewhere = await createBuildProxy({
    authority: place().authority,
    tunnelTokens: place().tunnelTokens,
    hosts: ["localhost"],
    log: { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} },
    findBuild: () => null,
    findElsewhere: async (id) => ({
      organizationId: "org_a",
      address: id === "bld_a" ? `127.0.0.1:${place().port}` : null,
    }),
  });
  const other = await openPort(elsewhere.takeTunnel);
  // Another server has the build, and the client is forwarded to it.
  const passed = await open({ token: tokenOf("bld_a"), at: portOf(other) });
  expect((await ask(await speak(passed as WebSocket, "bld_a"), ALLOWED)).status).toBe(0);
  await elsewhere.close();
  other.close();
});

test("3. without a certificate", async () => {
  begin("bld_a");
  const silent = await openTunnel("bld_a");
  expect(await codeOf(silent)).toBe(1000);
  const bare = await openTunnel("bld_a");
  const ended = codeOf(bare);
  await speakTls(bare, null);
  expect(await ended).toBe(1000);
});

test("4. what is no TLS", async () => {
  begin("bld_a");
  const good = await speak(await openTunnel("bld_a"), "bld_a");
  for (const [sent, code] of [
    ["text", 1003],
    [Buffer.alloc(TUNNEL_FRAME_BYTES + 1), 1009],
    [Buffer.from("GET / HTTP/1.1\r\n\r\n"), 1000],
  ] as const) {
    const tunnel = await openTunnel("bld_a");
    tunnel.send(sent);
    expect(await codeOf(tunnel)).toBe(code);
  }
  const pinging = await openTunnel("bld_a");
  let pongs = 0;
  pinging.on("pong", () => (pongs += 1));
  for (let at = 0; at < 100; at += 1) pinging.ping();
  expect((await ask(await speak(pinging, "bld_a"), ALLOWED)).status).toBe(0);
  expect(pongs).toBe(0);
  expect((await ask(good, ALLOWED)).status).toBe(0);
});

test("5. tunnels without number", async () => {
  begin("bld_evil");
  begin("bld_good");
  const all = await Promise.all(
    Array.from({ length: MAX_BUILD_CONNECTIONS }, async () => {
      const tunnel = await openTunnel("bld_evil");
      await speakTls(tunnel, "bld_evil");
      return tunnel;
    }),
  );
  for (let at = 0; at < 10; at += 1)
    expect(await open({ token: tokenOf("bld_evil") })).toBe("429 This build has too many tunnels.");
  expect((await ask(await speak(await openTunnel("bld_good"), "bld_good"), ALLOWED)).status).toBe(0);
  for (const each of all) each.terminate();
  await vi.waitFor(async () => expect(typeof (await open({ token: tokenOf("bld_evil") }))).toBe("object"));
});

test("6. ends", async () => {
  begin("bld_a");
  const tunnel = await openTunnel("bld_a");
  const session = await speak(tunnel, "bld_a");
  expect((await ask(session, ALLOWED)).status).toBe(0);
  const cut = codeOf(tunnel);
  place().proxy.cut("bld_a");
  expect(await cut).toBe(1000);
  const last = await openTunnel("bld_a");
  await speak(last, "bld_a");
  const closed = codeOf(last);
  await place().proxy.close();
  expect(await closed).toBe(1000);
  expect(await open({ token: tokenOf("bld_a") })).toBe("503 The server is closing: run the build again.");
});
