/**
 * An issuer of OIDC tokens on a port of this machine, for tests: a CI provider's, and a provider that people sign in with. It
 * misbehaves on request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

export interface TestIssuer {
  /** `http://127.0.0.1:41233` */
  origin: string;
  /** `127.0.0.1:41233`, for the list of private issuers. */
  host: string;
  /** Requests until now, by path. */
  requests: Map<string, number>;
  /** Signs with the newest key; `kid: null` leaves it out. */
  sign: (claims: JWTPayload, options?: { kid?: string | null; alg?: string }) => Promise<string>;
  /** Adds a key, or replaces the previous ones. */
  rotate: (options?: { keep?: boolean; alg?: string }) => Promise<void>;
  /** Published keys, to be changed by tests. */
  keys: JWK[];
  /** Answers a path differently. */
  answer: (path: string, handle: Handle | null) => void;
  close: () => Promise<void>;
}

export type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export async function startTestIssuer(): Promise<TestIssuer> {
  const handlers = new Map<string, Handle>();
  const requests = new Map<string, number>();
  const keys: JWK[] = [];
  let current: { key: CryptoKey; kid: string; alg: string } | null = null;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://issuer").pathname;
    requests.set(path, (requests.get(path) ?? 0) + 1);
    (handlers.get(path) ?? notFound)(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // A server on TCP has an address and a port.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  async function rotate({ keep = false, alg = "RS256" } = {}) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const kid = `key-${Math.random().toString(36).slice(2)}`;
    if (!keep) keys.length = 0;
    keys.push({ ...(await exportJWK(publicKey)), kid, alg, use: "sig" });
    current = { key: privateKey, kid, alg };
  }

  await rotate();
  const document = () => ({
    issuer: origin,
    jwks_uri: `${origin}/jwks`,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/userinfo`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
  });
  handlers.set("/.well-known/openid-configuration", (_, response) => answerJson(response, document()));
  handlers.set("/jwks", (_, response) => answerJson(response, { keys }));
  const standard = new Map(handlers);

  return {
    origin,
    host: `127.0.0.1:${port}`,
    requests,
    keys,
    rotate,
    sign(claims, { kid, alg } = {}) {
      if (!current) throw new Error("It has no key.");
      const header = { alg: alg ?? current.alg, kid: kid === null ? undefined : (kid ?? current.kid) };
      return new SignJWT({ iss: origin, ...claims }).setProtectedHeader(header).sign(current.key);
    },
    answer(path, handle) {
      const handler = handle ?? standard.get(path);
      if (handler) handlers.set(path, handler);
      else handlers.delete(path);
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function notFound(_: IncomingMessage, response: ServerResponse): void {
  answerJson(response, { error: "not_found" }, 404);
}
