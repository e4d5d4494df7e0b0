/**
 * On one port, with real clients:
 * 1. HTTP/1.1 and HTTP/2 are answered in clear text (prior knowledge) and in TLS according to ALPN; an offer to upgrade to h2c is
 *    answered in HTTP/1.1. The application always sees the same host, address and URL.
 * 2. gRPC is answered on the same port as pages, in clear text and TLS; gRPC-Web over HTTP/1.1 too.
 * 3. Bodies are streamed in both directions at the same time; `Expect: 100-continue` is answered before the body.
 * 4. A WebSocket works in clear text and TLS at the path with a handler, stays open when silent, and is ended by its handler when
 *    the server stops; at another path the request is answered, and a request that names two hosts is refused.
 * 5. A client that has ended its side still gets its answer, in clear text and TLS; a client that ends before its request is
 *    complete leaves nothing behind.
 * 6. Headers that HTTP/2 forbids are left out; HEAD has no body; a client that leaves is not a server error.
 * 7. Draining lets requests in flight finish, in TLS and both protocols, and ends the rest.
 * 8. A TLS port tells clear-text clients what to do; first bytes that arrive one by one are understood.
 * 9. TLS for a room's name goes to the room, with and without a certificate of the server's, in pieces of any size. Other names,
 *    and clients without one, are handled as before. The room's connections keep their place, and are ended by the room when the
 *    server stops.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import {
  type AddressInfo,
  connect as connectNet,
  createServer as createNetServer,
  type Socket,
} from "node:net";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Hono } from "hono";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import {
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
} from "#platform/grpc/gen/grpc/health/v1/health_pb.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { createHealthService } from "#platform/grpc/health.ts";
import { connectionAddress } from "#platform/http/addresses/client-address.ts";
import { abandonedAnswer } from "#platform/http/connections/client-abort.ts";
import { connectRaw, get } from "#platform/http/raw-client.ts";
import { PREFACE, request, settings } from "#platform/http/raw-frames.ts";
import { openCertificate } from "./certificate.ts";
import { createGuardedServer } from "./guarded-server.ts";
import { listen, type ListenOptions } from "./listen.ts";
import { curl, makeCertificate } from "../testing/tools.ts";

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  vi.restoreAllMocks();
});

const files = makeCertificate();
const ca = readFileSync(files.certFile);
const trust = ["--cacert", files.certFile];

function createApp(failures: unknown[]): Hono {
  const app = new Hono();
  app.get("/", (context) =>
    context.text(
      [
        (context.env as { incoming: { httpVersion: string } }).incoming.httpVersion,
        context.req.header("host"),
        new URL(context.req.url).origin,
        connectionAddress(context),
      ].join(" "),
    ),
  );
  app.get("/late", async (context) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return context.text("late");
  });
  app.get("/forbidden", (context) => {
    for (const name of ["Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade"])
      context.header(name, name === "Transfer-Encoding" ? "chunked" : "close");
    return context.text("sent");
  });
  app.post("/length", async (context) => context.text(String((await context.req.arrayBuffer()).byteLength)));
  app.post("/echo", (context) => new Response(context.req.raw.body));
  app.get("/never", () => new Promise<Response>(() => {}));
  app.onError((error, context) => {
    const abandoned = abandonedAnswer(context);
    if (!abandoned) failures.push(error);
    return abandoned ?? context.text("failed", 500);
  });
  return app;
}

async function start({ isTls = false, ...options }: { isTls?: boolean } & ListenOptions = {}) {
  const certificate = isTls ? openCertificate(files) : undefined;
  const { server, connections } = createGuardedServer({ ...(certificate && { certificate }) });
  const failures: unknown[] = [];
  const grpc = createGrpcHandler({ routes: createHealthService().routes });
  await listen(createApp(failures), "127.0.0.1", 0, { server, connections, grpc, ...options });
  cleanUps.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  return { server, connections, failures, port, url: `http${isTls ? "s" : ""}://localhost:${port}` };
}

test("1. protocols", async () => {
  const clear = await start();
  const tls = await start({ isTls: true });
  const told = (version: string, { url }: { url: string }) =>
    `${version} ${url.replace(/^https?:../, "")} ${url} 127.0.0.1`;
  expect(await curl(clear.url)).toBe(told("1.1", clear));
  expect(await curl("--http2-prior-knowledge", clear.url)).toBe(told("2.0", clear));
  expect(await curl("--http2", clear.url)).toBe(told("1.1", clear));
  expect(await curl(...trust, "--http2", tls.url)).toBe(told("2.0", tls));
  expect(await curl(...trust, "--http1.1", tls.url)).toBe(told("1.1", tls));
  expect(await curl(...trust, "--no-alpn", tls.url)).toBe(told("1.1", tls));
  // Several on one connection.
  const many = await curl(...trust, "-w", " %{num_connects};", tls.url, tls.url);
  expect(many).toMatch(/ 1;.* 0;$/);
});

const write = (service: string) =>
  Buffer.from(toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema, { service })));
const read = (bytes: Uint8Array) => fromBinary(HealthCheckResponseSchema, bytes).status;

test("2. gRPC", async () => {
  for (const isTls of [false, true]) {
    const { port, url } = await start({ isTls });
    const client = new Client(
      `localhost:${port}`,
      isTls ? credentials.createSsl(ca) : credentials.createInsecure(),
    );
    cleanUps.push(() => client.close());
    const call = (path: string) =>
      new Promise((resolve) => {
        client.makeUnaryRequest(path, write, read, "", (error: ServiceError | null, status?: number) =>
          resolve(error?.code ?? { status }),
        );
      });
    expect(await call("/grpc.health.v1.Health/Check")).toEqual({ status: 1 });
    expect(await call("/other.Service/Get")).toBe(12);
    expect(await curl(...trust, `${url}/`)).toContain("127.0.0.1");
  }
  const { url } = await start();
  const answer = await fetch(`${url}/grpc.health.v1.Health/Check`, {
    method: "POST",
    headers: { "content-type": "application/grpc-web+proto" },
    body: new Uint8Array(5),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, read(bytes.subarray(5, 5 + bytes.readUInt32BE(1)))]).toEqual([200, 1]);
  expect(bytes.toString("latin1")).toMatch(/grpc-status: 0/);
});

test("3. streamed bodies", async () => {
  const { port } = await start();
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  cleanUps.push(() => session.destroy());
  const stream = session.request({ ":path": "/echo", ":method": "POST" });
  stream.setEncoding("utf8");
  for (const part of ["first", "second"]) {
    stream.write(part);
    expect(await once(stream, "data")).toEqual([part]);
  }
  stream.end();
  await once(stream, "end");

  const raw = await connectRaw(
    port,
    "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n",
  );
  await raw.until("first");
  raw.socket.write("6\r\nsecond\r\n0\r\n\r\n");
  expect(await raw.until("0\r\n\r\n")).toMatch(/5\r\nfirst\r\n6\r\nsecond/);
});

test("3. Expect", async () => {
  const { port, url } = await start();
  const head = "POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n";
  const raw = await connectRaw(port, head);
  expect(await raw.until("\r\n\r\n")).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  raw.socket.write("body");
  expect(await raw.until("\r\n\r\n4")).toContain("HTTP/1.1 200 OK");
  const options = ["-H", "Expect: 100-continue", "--data-binary", "x".repeat(100_000), `${url}/length`];
  expect(await curl("--http2-prior-knowledge", ...options)).toBe("100000");

  const session = connectHttp2(`http://127.0.0.1:${port}`);
  cleanUps.push(() => session.destroy());
  const stream = session.request({ ":path": "/length", ":method": "POST", expect: "100-continue" });
  await once(stream, "continue");
  stream.end("body");
  const [length] = await once(stream, "data");
  expect(String(length)).toBe("4");
  // A refused client gets no permission to continue.
  const lines = Array.from({ length: 120 }, (_, at) => `X-${at}: 1`).join("\r\n");
  const refused = await connectRaw(port, head.replace("Host", `${lines}\r\nHost`));
  expect(await refused.ended()).toMatch(/^HTTP\/1\.1 431 /);
});

test("4. WebSocket", async () => {
  for (const isTls of [false, true]) {
    const sockets = new WebSocketServer({ noServer: true });
    sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(`echo ${String(data)}`)));
    const upgrade: ListenOptions["upgrade"] = {
      path: "/socket",
      take: (request, socket, head) =>
        sockets.handleUpgrade(request, socket, head, (each) => sockets.emit("connection", each)),
    };
    const { server, connections, port, url } = await start({ isTls, upgrade });
    server.http1.timeout = 90;
    const client = new WebSocket(`${url.replace("http", "ws")}/socket`, { ca });
    await once(client, "open");
    // Longer than the silence that the server allows for HTTP.
    for (let at = 0; at < 3; at += 1) await curl(...trust, `${url}/late`);
    client.send("hello");
    const [answer] = (await once(client, "message")) as [Buffer];
    expect([String(answer), connections.size]).toEqual(["echo hello", 1]);
    if (!isTls) {
      const plain = await connectRaw(port, get("/late", "Connection: Upgrade", "Upgrade: websocket"));
      expect(await plain.until("late")).toMatch(/^HTTP\/1\.1 200 /);
      plain.socket.destroy();
      const twice = ["Host: other", "Connection: Upgrade", "Upgrade: websocket"];
      expect(await (await connectRaw(port, get("/socket", ...twice))).ended()).toMatch(/^HTTP\/1\.1 400 /);
    }
    connections.drain();
    client.send("hello");
    // Its owner ends it, and may give a reason.
    expect(String((await once(client, "message"))[0])).toBe("echo hello");
    for (const each of sockets.clients) each.close(1001);
    expect((await once(client, "close"))[0]).toBe(1001);
  }
});

test("5. half-closed", async () => {
  const { port, connections } = await start();
  const raw = await connectRaw(port, get("/late"));
  raw.socket.end();
  expect(await raw.ended()).toMatch(/^HTTP\/1\.1 200 [^]*late$/);
  const tls = await start({ isTls: true });
  // The declarations lack `allowHalfOpen`.
  const options = { port: tls.port, ca, servername: "localhost", allowHalfOpen: true };
  const secure = connectTls(options);
  let text = "";
  secure.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  secure.end(get("/late"));
  await once(secure, "end");
  expect(text).toMatch(/^HTTP\/1\.1 200 [^]*late$/);
  secure.destroy();

  for (const sent of [
    "",
    "P",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET / HTTP/1.1\r\n",
    "POST / HTTP/1.1\r\n",
  ]) {
    (await connectRaw(port, sent)).socket.end();
    const half = connectTls({ port: tls.port, ca, servername: "localhost", ALPNProtocols: ["h2"] });
    half
      .end(sent)
      .on("error", () => {})
      .resume();
    (await connectRaw(tls.port, sent && "\x16\x03")).socket.end();
  }
  await vi.waitUntil(() => connections.size + tls.connections.size === 0, { interval: 5, timeout: 5000 });
});

test("6. HTTP/2's own manners", async () => {
  const warned = vi.spyOn(process, "emitWarning");
  const { url, port, connections, failures } = await start();
  const answer = await curl("--http2-prior-knowledge", "-i", `${url}/forbidden`);
  expect(answer).toMatch(/^HTTP\/2 200/);
  expect(answer).not.toMatch(/^(connection|keep-alive|transfer-encoding|upgrade):/im);
  expect(answer).toMatch(/sent$/);
  const head = await curl("--http2-prior-knowledge", "--head", url);
  expect(head).toMatch(/^HTTP\/2 200/);
  expect(warned).not.toHaveBeenCalled();

  const told = (["error", "warn", "info", "log"] as const).map((level) => vi.spyOn(console, level));
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  session.on("error", () => {});
  const upload = session.request({ ":path": "/length", ":method": "POST" });
  const echo = session.request({ ":path": "/echo", ":method": "POST" });
  const silent = session.request({ ":path": "/never" });
  for (const stream of [upload, echo, silent]) stream.on("error", () => {});
  upload.write("part");
  echo.write("part");
  await once(echo, "data");
  await vi.waitUntil(() => connections.requests === 3, { interval: 1 });
  echo.close(8);
  await vi.waitUntil(() => connections.requests === 2, { interval: 1 });
  session.destroy();
  await vi.waitUntil(() => connections.requests + connections.size === 0, { interval: 1 });
  expect(await curl(url)).toContain("1.1");
  expect(failures).toEqual([]);
  for (const level of told) expect(level).not.toHaveBeenCalled();
});

test("7. draining in TLS", async () => {
  const { server, connections, port } = await start({ isTls: true });
  const tlsOptions = { port, ca, servername: "localhost" };
  const [idle, busy] = [connectTls(tlsOptions), connectTls(tlsOptions)];
  await Promise.all([once(idle, "secureConnect"), once(busy, "secureConnect")]);
  let text = "";
  busy.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  busy.write(get("/late"));
  const session = connectHttp2(`https://localhost:${port}`, { ca });
  const stream = session.request({ ":path": "/late" });
  await vi.waitUntil(() => connections.requests === 2, { interval: 1 });
  idle.on("error", () => {}).resume();
  const closed = [idle, busy, session].map((each) => once(each, "close"));
  const answer = once(stream, "data");
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  connections.drain();
  expect(String((await answer)[0])).toBe("late");
  await Promise.all(closed);
  expect(text).toMatch(/Connection: close[^]*late$/);
  await ended;
});

test("8. first bytes", async () => {
  const clear = await start();
  const tls = await start({ isTls: true });
  expect(await curl("-i", tls.url.replace("https", "http"))).toMatch(
    /^HTTP\/1\.1 400 [^]*This port speaks TLS\. Use an address that starts with https:/,
  );
  const raw = await connectRaw(clear.port);
  for (const letter of get("/late")) {
    raw.socket.write(letter);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await raw.until("late")).toMatch(/^HTTP\/1\.1 200 /);
  const preface = await connectRaw(clear.port);
  for (const byte of Buffer.concat([Buffer.from(PREFACE), settings(), request(1, "/late")])) {
    preface.socket.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await preface.until("late")).toContain("late");
});

test("9. a TLS name", async () => {
  const name = "room.example.internal";
  const behind = createTlsServer(
    { cert: ca, key: readFileSync(files.keyFile), ALPNProtocols: ["h2"] },
    (socket) => void socket.on("error", () => {}).pipe(socket),
  );
  for (const isTls of [false, true]) {
    const tlsName = { serverName: name, accept: (socket: Socket) => void behind.emit("connection", socket) };
    const { connections, port, url } = await start({ isTls, tlsName });
    // Byte by byte, like the client's first message.
    const relay = createNetServer((near) => {
      const far = connectNet(port, "127.0.0.1").setNoDelay();
      near.once("data", (hello: Buffer) => {
        for (const byte of hello) far.write(Buffer.from([byte]));
        near.pipe(far).pipe(near);
      });
      for (const each of [near, far]) each.on("error", () => {});
    }).listen(0, "127.0.0.1");
    await once(relay, "listening");
    const { port: slowPort } = relay.address() as AddressInfo;
    for (const at of [port, slowPort]) {
      const client = connectTls({ port: at, servername: name, ca, checkServerIdentity: () => undefined });
      await once(client, "secureConnect");
      client.write("hello");
      expect(String((await once(client, "data"))[0])).toBe("hello");
      expect(connections.size).toBe(1);
      if (at === slowPort) connections.drain();
      client.write("again");
      expect(String((await once(client, "data"))[0])).toBe("again");
      client.destroy();
      await vi.waitFor(() => expect(connections.size).toBe(0));
      if (at === port) expect(await curl(...trust, url)).toContain("localhost");
    }
    relay.close();
  }
  const { port } = await start({ tlsName: { serverName: name, accept: () => expect.unreachable() } });
  for (const servername of ["localhost", ""]) {
    const other = connectTls({ port, host: "127.0.0.1", servername });
    // Without a certificate the port answers in clear text.
    expect((await once(other, "error"))[0]).toMatchObject({ code: expect.stringMatching(/SSL|ECONNRESET/) });
  }
});
