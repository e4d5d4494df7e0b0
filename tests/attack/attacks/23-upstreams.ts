import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Attack, Stage } from "../attack.ts";
import { ask, codeOf, digestOf, emptyIndex, OCI_INDEX, toRegistry } from "../registry-client.ts";
import type { RunningServer } from "../server-process.ts";

const MEBIBYTE = 1024 * 1024;
const QUOTA_BYTES = 50_000_000;
const PASSWORD = "the-password-of-the-mirror";
const DIGEST = `sha256:${"0".repeat(64)}`;

type Behave = (request: IncomingMessage, response: ServerResponse) => void;

export const hostileUpstreams: Attack = {
  item: 23,
  name: "hostile registries that are pulled through",
  bound:
    "Whatever a registry answers, nothing behind us is asked, passwords go to no one else, and neither memory nor the disk fills.",
  async run(stage) {
    const inside = await listen((_, response) => void response.end("secret"));
    let behave: Behave = (_, response) => void response.end();
    const upstream = await listen((request, response) => behave(request, response));
    try {
      const server = await openServer(stage, upstream);
      for (const [name, make] of behaviours(inside)) {
        behave = make;
        await pull(stage, server, name);
      }
      stage.check(inside.asked.length === 0, `the network behind us was asked: ${inside.asked.join(", ")}`);
      await followsNoLoop(stage, server, { upstream, use: (next) => (behave = next) });
      behave = (_, response) => void response.writeHead(404).end();
      const known = await ask(server, { path: "/v2/mirror/evil.test/some/thing/tags/list" });
      stage.check(known.body.includes('"tags":[]'), `tags of what was refused: ${known.body.toString()}`);
      const kept = bytesIn(join(server.dataDir, "blobs"));
      stage.check(kept === 0, `${kept} bytes of what was refused are kept`);
      stage.report("the network behind us", `${inside.asked.length} requests, ${kept} bytes kept`);
    } finally {
      for (const { close } of [inside, upstream]) close();
    }
  },
};

/** The operator has listed the host, with a password. */
async function openServer(stage: Stage, upstream: Listening): Promise<RunningServer> {
  const folder = stage.dataDir();
  mkdirSync(folder, { recursive: true });
  const config = join(folder, "config.json");
  const auth = Buffer.from(`millrace:${PASSWORD}`).toString("base64");
  writeFileSync(config, JSON.stringify({ auths: { "evil.test": { auth } } }));
  return stage.server({
    env: {
      MILLRACE_MIRROR_HOSTS: `evil.test=${upstream.origin}`,
      MILLRACE_MIRROR_CREDENTIALS: config,
      MILLRACE_MIRROR_QUOTA: `${QUOTA_BYTES / 1e6}MB`,
    },
  });
}

/** A tag, a manifest and a blob: refused in words each time, and never with the password or anything behind this server. */
async function pull(stage: Stage, server: RunningServer, name: string): Promise<void> {
  for (const rest of ["manifests/latest", `manifests/${DIGEST}`, `blobs/${DIGEST}`]) {
    const path = `/v2/mirror/evil.test/some/thing/${rest}`;
    const answer = await stage.strike(server, `${name}: ${rest.slice(0, 20)}`, toRegistry({ path }));
    const { status, body, failure } = answer;
    const said = body.toString();
    // A blob is passed on while it comes, and cut off where it proves wrong.
    const isCut = failure !== null && status === 200;
    stage.check(status >= 400 || isCut, `${name}, ${rest}: answered ${status}`);
    stage.check(isCut || codeOf(answer) !== null, `${name}, ${rest}: nothing is said: ${said.slice(0, 200)}`);
    stage.check(!said.includes(PASSWORD) && !said.includes("secret"), `${name}, ${rest}: it tells a secret`);
  }
  const kept = bytesIn(join(server.dataDir, "blobs"));
  stage.check(kept <= QUOTA_BYTES, `${name}: ${kept} bytes are kept, at most ${QUOTA_BYTES} may`);
}

function behaviours(inside: Listening): [name: string, behave: Behave][] {
  const to =
    (location: string): Behave =>
    (_, response) =>
      void response.writeHead(307, { location }).end();
  const realm =
    (address: string): Behave =>
    (request, response) => {
      const challenge = `Bearer realm="${address}",service="x"`;
      if (!request.headers.authorization) response.writeHead(401, { "www-authenticate": challenge }).end();
      else response.writeHead(404).end();
    };
  const port = new URL(inside.origin).port;
  const bomb = gzipSync(Buffer.alloc(200 * MEBIBYTE));
  const index =
    (headers: Record<string, string>, body: string | Buffer): Behave =>
    (_, response) =>
      void response.writeHead(200, { "content-type": OCI_INDEX, ...headers }).end(body);
  return [
    ["a body without end", endless],
    [
      "a body of 100 TB",
      (_, response) => void response.writeHead(200, { "content-length": 1e14 }).write("x"),
    ],
    ["a redirect to this machine", to(inside.origin)],
    ["a redirect to this machine with TLS", to(`https://127.0.0.1:${port}/`)],
    ["a redirect to a name of this machine", to(`https://localhost:${port}/`)],
    ["a redirect to an address in another form", to(`https://[::ffff:127.0.0.1]:${port}/`)],
    ["a redirect to an address as a number", to(`https://2130706433:${port}/`)],
    ["a redirect to the metadata of clouds", to("http://169.254.169.254/latest/meta-data/")],
    ["a redirect to a file", to("file:///etc/passwd")],
    ["a redirect with a password", to(`https://a:b@127.0.0.1:${port}/`)],
    ["a token of this machine", realm(`${inside.origin}/token`)],
    ["a token of another port", realm(`https://127.0.0.1:${port}/token`)],
    ["a token of the metadata of clouds", realm("https://169.254.169.254/token")],
    ["another digest", index({ "docker-content-digest": DIGEST }, emptyIndex())],
    ["a compressed bomb", index({ "content-encoding": "gzip" }, bomb)],
    ["an invalid manifest", index({ "docker-content-digest": digestOf("none") }, "none")],
    [
      "headers of 1 MB",
      (_, response) => void response.socket?.end(`HTTP/1.1 200 OK\r\na: ${"b".repeat(1e6)}\r\n\r\n`),
    ],
    ["no HTTP", (_, response) => void response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n")],
    [
      "half of an answer",
      (_, response) =>
        void response.writeHead(200, { "content-length": 5_000 }).write("x", () => response.destroy()),
    ],
    ["an error of its own", (_, response) => void response.writeHead(500).end("secret")],
  ];
}

/** As fast as it is taken. */
function endless(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": OCI_INDEX });
  const piece = Buffer.alloc(MEBIBYTE);
  const send = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", send).on("error", () => {});
  send();
}

/** Redirects to itself, and challenges again after each token. */
async function followsNoLoop(
  stage: Stage,
  server: RunningServer,
  { upstream, use }: { upstream: Listening; use: (behave: Behave) => void },
): Promise<void> {
  const loops: [string, Behave][] = [
    [
      "a redirect to itself",
      ({ url = "" }, response) => void response.writeHead(307, { location: url }).end(),
    ],
    [
      "tokens that are never enough",
      ({ url = "" }, response) => {
        const challenge = `Bearer realm="${upstream.origin}/token"`;
        if (url.startsWith("/token")) response.end(JSON.stringify({ token: "a" }));
        else response.writeHead(401, { "www-authenticate": challenge }).end();
      },
    ],
  ];
  for (const [name, behave] of loops) {
    use(behave);
    upstream.asked.splice(0);
    await pull(stage, server, name);
    const { length } = upstream.asked;
    stage.check(length > 0 && length <= 30, `${name}: three pulls asked ${length} times`);
    stage.report(name, `${length} requests for three pulls`);
  }
}

interface Listening {
  /** `http://127.0.0.1:4711` */
  origin: string;
  /** `GET /token` */
  asked: string[];
  close: () => void;
}

async function listen(behave: Behave): Promise<Listening> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    behave(request, response);
  });
  // Also for clients that begin with TLS.
  server.on("connection", (socket) => socket.on("error", () => {}));
  server.on("clientError", (_, socket) => {
    asked.push("something that is no HTTP");
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${port}`, asked, close };
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
