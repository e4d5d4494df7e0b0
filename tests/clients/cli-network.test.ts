/**
 * Misbehaving servers, proxies and networks. Each ends the command with code 1 and one line.
 * 1. A huge answer, an endless answer, HTML, redirects, a connection that breaks: bounded, and reported.
 * 2. A token goes to its own origin alone; it is not in any message.
 * 3. A broken connection is tried again, with the same `Idempotency-Key`.
 * 4. A server that is unreachable, unknown or older.
 * 5. A certificate of an unknown authority: its details, and NODE_EXTRA_CA_CERTS, which works.
 * 6. Proxies from the environment, NO_PROXY, and no undici where no proxy is set.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Server as NetServer } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createFetch } from "../../cli/src/network.ts";
import { buildCli, makePlace, runCli } from "./cli-process.ts";
import { type CliServer, startCliServer, USER_TOKEN } from "./cli-server.ts";

const place = makePlace();
let main: string;
let server: CliServer;
let home: string;
const others: NetServer[] = [];

beforeAll(async () => {
  main = await buildCli(join(place.path, "package"));
}, 120_000);
afterAll(place.remove);
beforeEach(async () => {
  server = await startCliServer();
  home = place.home();
});
afterEach(async () => {
  await server.close();
  for (const other of others.splice(0)) other.close();
});

async function listen(other: NetServer): Promise<number> {
  others.push(other);
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  return (other.address() as AddressInfo).port;
}

const millrace = (args: string, env: { [name: string]: string } = {}) =>
  runCli(main, args.split(" "), {
    env: { HOME: home, MILLRACE_URL: server.origin, MILLRACE_TOKEN: USER_TOKEN, ...env },
    cwd: home,
  });

const JSON_TYPE = { "content-type": "application/json" };
type Intercept = NonNullable<CliServer["intercept"]>;
const answers: { [name: string]: [Intercept, RegExp] } = {
  "100 MB": [
    (_, response) => {
      response.writeHead(200, JSON_TYPE);
      const chunk = Buffer.alloc(1024 * 1024, " ");
      let left = 100;
      const more = () => {
        while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", more);
        response.end("{}");
      };
      more();
      return true;
    },
    /sent more than 8388608 bytes/,
  ],
  "100 MB, compressed": [
    (_, response) => {
      response.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(100 * 1024 * 1024, " ")));
      return true;
    },
    /sent more than 8388608 bytes/,
  ],
  "a page": [
    (_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>\u001b[2JHello</h1>");
      return true;
    },
    /is not a Millrace server, or an older one.*responded with 200 and text\/html/,
  ],
  "no JSON": [
    (_, response) => {
      response.writeHead(200, JSON_TYPE).end("{");
      return true;
    },
    /./,
  ],
  "JSON of another kind": [
    (_, response) => {
      response.writeHead(200, JSON_TYPE).end('{"user": 7}');
      return true;
    },
    /./,
  ],
  "an error of another kind": [
    (_, response) => {
      response.writeHead(500, JSON_TYPE).end('["\u001b[2J"]');
      return true;
    },
    /./,
  ],
  "a redirect to itself": [
    (request, response) => {
      response.writeHead(307, { location: request.url ?? "" }).end();
      return true;
    },
    /is not a Millrace server: .* redirects to/,
  ],
  "a redirect to another origin": [
    (_, response) => {
      response.writeHead(308, { location: "https://other.example/api" }).end();
      return true;
    },
    /redirects to https:\/\/other\.example: if that is your Millrace server, pass --url https:\/\/other\.example/,
  ],
  "a proxy without a server": [
    (_, response) => {
      response.writeHead(502, { "content-type": "text/html" }).end();
      return true;
    },
    /is unreachable: the proxy in front of it responded with 502/,
  ],
  "a connection that breaks": [
    (request) => {
      request.socket.destroy();
      return true;
    },
    /closed the connection/,
  ],
};

test.each(Object.entries(answers))("1. %s", async (_, [intercept, message]) => {
  server.intercept = intercept;
  for (const command of ["whoami", "login", "docs search x"]) {
    const { code, stderr, stdout } = await millrace(command);
    expect([code, stdout], command + stderr).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr, "2.").not.toContain(USER_TOKEN);
    expect(stderr).not.toContain("please report");
    // oxlint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  }
});

test("1. an answer that comes drop by drop ends at the deadline", async () => {
  const drops = createServer((_, response) => {
    response.writeHead(200, JSON_TYPE);
    const timer = setInterval(() => response.write(" "), 5);
    response.on("close", () => clearInterval(timer));
  });
  const port = await listen(drops);
  const fetch = createFetch({}, { timeoutMs: 200 });
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("did not respond within 0.2 s");
});

test("2. a token with a line break is in no message", async () => {
  const { code, stderr } = await millrace("whoami", { MILLRACE_TOKEN: "mr_user_secret\nx: y" });
  expect([code, stderr]).toEqual([3, "millrace: unauthenticated: MILLRACE_TOKEN is not a token\n"]);
});

test("3. a create whose answer is lost is sent again with its key", async () => {
  const keys: unknown[] = [];
  server.intercept = (request) => {
    if (!request.url?.endsWith("ProjectService/Create")) return false;
    keys.push(request.headers["idempotency-key"]);
    if (keys.length === 3) return false;
    request.socket.destroy();
    return true;
  };
  expect(await millrace("projects create web")).toMatchObject({ code: 0 });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test("4. away, unknown, older, newer", async () => {
  const port = await listen(createServer());
  others.pop()?.close();
  const refused = await millrace("whoami", { MILLRACE_URL: `http://127.0.0.1:${port}` });
  expect(refused.stderr).toBe(
    `millrace: connect ECONNREFUSED 127.0.0.1:${port}: nothing is listening at http://127.0.0.1:${port}. Start Millrace there, or correct --url or MILLRACE_URL\n`,
  );
  const unknown = await millrace("whoami", { MILLRACE_URL: "http://build.invalid" });
  expect(unknown.stderr).toMatch(/ENOTFOUND|EAI_AGAIN/);
  expect(unknown.stderr).toContain("the name build.invalid cannot be resolved here");
  const plain = await millrace("whoami", { MILLRACE_URL: server.origin.replace("http:", "https:") });
  expect(plain.stderr).toContain("does not speak HTTPS");
  server.intercept = (request, response) => {
    if (!request.url?.endsWith("ProjectService/List")) return false;
    response.writeHead(501, JSON_TYPE).end('{"code": "unimplemented", "message": "no such method"}');
    return true;
  };
  expect(await millrace("projects list")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ is older than .* does not support this command: update the server\n$/),
  });
  const { intercept } = server;
  server.intercept = (request, response) => {
    response.setHeader("Millrace-Cli", "0.0.9-1a2b3c4d");
    return intercept(request, response);
  };
  expect((await millrace("projects list")).stderr).toContain(
    `(millrace 0.0.9-1a2b3c4d) is older than this millrace 0.1.0 and does not support this command: update the server, or run: npm install -g ${server.origin}/cli/millrace.tgz\n`,
  );
});

test("5. a certificate of an unknown authority", async () => {
  const file = (name: string) => join(home, name);
  const subject = ["-subj", "/CN=Acme test authority", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      file("key"),
      "-out",
      file("certificate"),
      ...subject,
    ],
    { stdio: "ignore" },
  );
  const secure = createSecureServer({
    key: readFileSync(file("key")),
    cert: readFileSync(file("certificate")),
  });
  let wasAsked = false;
  secure.on("request", (_, response) => {
    wasAsked = true;
    response.writeHead(401, JSON_TYPE).end('{"code": "unauthenticated", "message": "token is unknown"}');
  });
  const port = await listen(secure);
  const env = { MILLRACE_URL: `https://127.0.0.1:${port}` };
  const { code, stderr } = await millrace("whoami", env);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /self-signed certificate: .* does not trust \(for Acme test authority, by Acme test authority, until \d{4}-\d\d-\d\d, SHA-256 [0-9A-F:]{95}\)\. Set NODE_EXTRA_CA_CERTS/,
  );
  expect(wasAsked).toBe(false);
  const trusted = await millrace("whoami", { ...env, NODE_EXTRA_CA_CERTS: file("certificate") });
  expect(trusted).toMatchObject({ code: 3, stderr: "millrace: unauthenticated: token is unknown\n" });
});

/** Connects clients with any target that they name, and records it. */
function startProxy(): { proxy: Server; seen: string[] } {
  const seen: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, socket) => {
    seen.push(request.url ?? "");
    const target = connect(new URL(server.origin).port as unknown as number, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const end of [target, socket]) end.on("error", () => {});
  });
  return { proxy, seen };
}

test("6. proxies", async () => {
  const { proxy, seen } = startProxy();
  const port = await listen(proxy);
  const url = "http://build.acme.example:80";
  for (const name of ["HTTP_PROXY", "http_proxy"]) {
    const through = await millrace("whoami", { MILLRACE_URL: url, [name]: `http://127.0.0.1:${port}` });
    expect(through.stderr + through.stdout).toContain("ada (owner) in acme at http://build.acme.example");
  }
  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen)).toEqual(new Set(["build.acme.example:80"]));
  const before = seen.length;
  const around = await millrace("whoami", { HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: "127.0.0.1" });
  expect([around.code, seen.length]).toEqual([0, before]);
  const broken = await millrace("whoami", { HTTPS_PROXY: "::secret::" });
  expect(broken.stderr).toBe(
    "millrace: HTTP_PROXY or HTTPS_PROXY is not a valid address: write http://proxy.acme.example:3128\n",
  );
  proxy.closeAllConnections();
});
