/** One repository of the registry, and the expected form of its answers. */
import { createHash, randomBytes } from "node:crypto";
import { Agent, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { expect } from "vitest";
import type { Target } from "./target.ts";

export const ALGORITHMS = ["sha256", "sha512"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];
export type Method = "GET" | "HEAD" | "PUT" | "POST" | "PATCH" | "DELETE";

export interface Question {
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string | undefined;
  /** Default: the target's. Null: none. */
  token?: string | null;
}

export interface Expected {
  status: number | readonly number[];
  /** By name in lower case; null: the answer must not have it. */
  headers?: Readonly<Record<string, string | RegExp | null>>;
  body?: Uint8Array | string;
  /** The codes that are right; registries of others may send other codes, in the same form. */
  code?: string | readonly string[];
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  json: () => unknown;
  /** `Location`, as the next request can use it. @throws when there is none */
  location: string;
}

export interface Repository {
  name: string;
  target: Target;
  /** @param path of the repository (`tags/list`), of the server (`/v2/`), or from a `Location` */
  ask: (method: Method, path: string, expected: Expected, question?: Question) => Promise<Answer>;
}

const agent = new Agent({ keepAlive: true });
/** Registries may leave out types that a client does not name. */
const ACCEPTED = [
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "*/*",
].join(", ");

export const digestOf = (content: Uint8Array | string, algorithm: Algorithm = "sha256"): string =>
  `${algorithm}:${createHash(algorithm).update(content).digest("hex")}`;

/** New bytes, never pushed before. */
export const newBytes = (length = 512): Buffer => randomBytes(length);

export async function makeRepository(target: Target): Promise<Repository> {
  const name = await target.makeRepository();
  return {
    name,
    target,
    async ask(method, path, expected, question = {}) {
      const base = path.startsWith("/") ? target.url : `${target.url}/v2/${name}/`;
      const url = new URL(path, base);
      const answer = await send(method, url, { token: target.token, ...question });
      const asked = `${method} ${url.pathname}${url.search}`;
      check(asked, answer, expected);
      if (answer.status >= 400) checkError(asked, answer, target.isOurs ? expected.code : undefined);
      return answer;
    },
  };
}

/** Adds a parameter to an address that may have others, as clients have to. */
export function withParameter(location: string, name: string, value: string): string {
  const separator = location.includes("?") ? "&" : "?";
  return `${location}${separator}${name}=${encodeURIComponent(value)}`;
}

function send(method: Method, url: URL, { headers, body, token }: Question): Promise<Answer> {
  const hasLength = method !== "GET" && method !== "HEAD" && !headers?.["transfer-encoding"];
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, {
      method,
      agent,
      headers: {
        accept: ACCEPTED,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(hasLength && { "content-length": Buffer.byteLength(body ?? "") }),
        ...headers,
      },
    });
    sent.once("error", reject).once("response", (answer) => {
      const chunks: Buffer[] = [];
      answer
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .once("error", reject)
        .once("end", () => resolve(read(answer.statusCode ?? 0, answer.headers, Buffer.concat(chunks))));
    });
    sent.end(body);
  });
}

const read = (status: number, headers: IncomingHttpHeaders, body: Buffer): Answer => ({
  status,
  headers,
  body,
  json: () => JSON.parse(body.toString("utf8")),
  get location() {
    expect(headers.location, "Location").toBeDefined();
    return headers.location ?? "";
  },
});

function check(asked: string, answer: Answer, { status, headers = {}, body }: Expected): void {
  const text = answer.body.subarray(0, 500).toString("utf8");
  expect([status].flat(), `${asked}: ${answer.status} ${text}`).toContain(answer.status);
  for (const [name, wanted] of Object.entries(headers)) {
    const value = answer.headers[name]?.toString();
    const told = `${asked}: ${name}`;
    if (wanted === null) expect(value, told).toBeUndefined();
    else if (typeof wanted === "string") expect(value, told).toBe(wanted);
    else expect(value ?? "", told).toMatch(wanted);
  }
  if (body !== undefined) expect(answer.body.equals(Buffer.from(body)), `${asked}: its body`).toBe(true);
}

/** A body is JSON in the form of the specification, or not JSON; the answer to HEAD has no body. */
function checkError(asked: string, answer: Answer, code: Expected["code"]): void {
  if (answer.body.length === 0 || !/json/.test(answer.headers["content-type"] ?? "")) {
    if (code !== undefined) expect(answer.body.toString("utf8"), `${asked}: JSON with a code`).toBe("");
    return;
  }
  const { errors } = answer.json() as { errors: { code: string; message?: unknown }[] };
  expect(errors.length, `${asked}: errors`).toBeGreaterThan(0);
  for (const error of errors) {
    expect(error.code, `${asked}: code`).toMatch(/^[A-Z_]+$/);
    expect(typeof (error.message ?? ""), `${asked}: message`).toBe("string");
  }
  if (code !== undefined)
    expect([code].flat(), `${asked}: ${answer.body.toString("utf8")}`).toContain(errors[0]?.code);
}
