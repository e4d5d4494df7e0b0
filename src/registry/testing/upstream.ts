/**
 * For tests: our registry with the surroundings of public ones: its own token server, and another host to which blobs are
 * redirected. It can be made to misbehave.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openTestClient, type TestClient } from "./client.ts";
import { makeImage, type TestImage } from "./images.ts";

export interface Asked {
  /** `registry`, `tokens`, `cdn` */
  at: string;
  method: string;
  url: string;
  authorization: string;
}

/** @returns whether it has answered, or will */
export type Behave = (asked: Asked, response: ServerResponse, request: IncomingMessage) => boolean;

export interface TestUpstream {
  client: TestClient;
  /** `http://127.0.0.1:4712` of the registry, and of the host that blobs are redirected to. */
  origin: string;
  cdn: string;
  /** Since `forget`. */
  asked: Asked[];
  /** Requests for blobs and manifests, without those for a login or a token: `GET /v2/acme/web/manifests/1`. */
  content: () => string[];
  forget: () => void;
  behave: Behave | null;
  /** The user name and password that its token server requires; "": none. */
  login: string;
  isBasic: boolean;
  push: (tag: string, image?: Parameters<typeof makeImage>[2]) => Promise<TestImage>;
  close: () => Promise<void>;
}

type Handle = (asked: Asked, response: ServerResponse) => unknown;

const TOKEN = "upstream-token";

export async function openTestUpstream(): Promise<TestUpstream> {
  const client = await openTestClient();
  const servers: Server[] = [];
  const listen = async (at: string, handle: Handle) => {
    const server = createServer((request, response) => {
      const { method = "", url = "", headers } = request;
      const asked = { at, method, url, authorization: headers.authorization ?? "" };
      upstream.asked.push(asked);
      if (!upstream.behave?.(asked, response, request)) void handle(asked, response);
    });
    servers.push(server);
    return start(server);
  };
  const tokens = await listen("tokens", ({ authorization }, response) => {
    const isRight = upstream.login === "" || authorization === basic(upstream.login);
    response.writeHead(isRight ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isRight ? { token: TOKEN, expires_in: 300 } : {}));
  });
  const cdn = await listen("cdn", (asked, response) =>
    asked.authorization === "" ? pass(client, asked, response) : response.writeHead(400).end(),
  );
  const origin = await listen("registry", (asked, response) => {
    const wanted = upstream.isBasic ? basic(upstream.login) : `Bearer ${TOKEN}`;
    const challenge = upstream.isBasic ? 'Basic realm="x"' : `Bearer realm="${tokens}/",service="test"`;
    if (asked.authorization !== wanted)
      return response.writeHead(401, { "www-authenticate": challenge }).end();
    if (asked.method === "GET" && asked.url.includes("/blobs/"))
      return response.writeHead(307, { location: cdn + asked.url }).end();
    return pass(client, asked, response);
  });
  const upstream: TestUpstream = {
    client,
    origin,
    cdn,
    asked: [],
    content: () =>
      upstream.asked
        .filter(({ at, authorization }) => at === "registry" && authorization !== "")
        .map(({ method, url }) => `${method} ${url}`),
    forget: () => void upstream.asked.splice(0),
    behave: null,
    login: "",
    isBasic: false,
    async push(tag, options) {
      const image = await makeImage(client.test, client.projects.web, options);
      await client.ask("PUT", `/v2/acme/web/manifests/${tag}`, {
        headers: { "content-type": image.descriptor.mediaType },
        body: image.bytes,
      });
      return image;
    },
    async close() {
      await Promise.all(servers.map(stop));
      await client.close();
    },
  };
  listedOf.set(upstream, [origin, cdn, tokens]);
  return upstream;
}

const listedOf = new WeakMap<TestUpstream, readonly string[]>();

/** As an operator would list it. */
export function listUpstream(upstream: TestUpstream, name = "up.test"): string {
  const [origin, ...others] = listedOf.get(upstream)!;
  return [`${name}=${origin}`, ...others.map((address, at) => `other${at}.test=${address}`)].join(",");
}

async function start(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A port of TCP has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function stop(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}

async function pass(client: TestClient, { method, url }: Asked, response: ServerResponse): Promise<void> {
  const answer = await client.ask(method, url);
  response.writeHead(answer.status, answer.headers as Record<string, string>).end(answer.body);
}

const basic = (login: string) => `Basic ${Buffer.from(login).toString("base64")}`;
