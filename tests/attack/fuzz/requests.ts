/** A random request; the same seed and number give the same one. */
import { gzipSync } from "node:zlib";
import { admin } from "../documents.ts";
import type { Sent } from "../requests.ts";
import { bodyFor, envelopeOf } from "./bodies.ts";
import { createRandom, type Random } from "./random.ts";
import type { Site } from "./routes.ts";
import { mutate, oddText } from "./values.ts";
import { asOwner } from "../sign-in.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND", "TRACE"];
const names = [
  "q",
  "limit",
  "offset",
  "filter",
  "sort",
  "fields",
  "primaryKey",
  "kind",
  "format",
  "from",
  "to",
  "ip",
  "_",
  "ids",
];
const segments = [
  "docs",
  "fuzz-a",
  "fuzz-b",
  "0",
  "1",
  "x",
  "__proto__",
  "constructor",
  "%00",
  "%ff",
  "..%2f..",
  "a".repeat(300),
];
const types = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json; charset=utf-16",
  "text/plain",
  "text/csv",
  "application/x-ndjson",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json, text/plain",
  "",
  "a".repeat(2000),
];
const BOMB_BYTES = 4_000_000;
/** Length of a body, in characters of at most three bytes each. */
const TEXT_LENGTH = 1_000_000;

export interface FuzzedRequest extends Sent {
  method: string;
  headers: { [name: string]: string };
  /** Whether the answer is a built file, whose size does not depend on the request. */
  isFile: boolean;
}

export interface Credentials {
  /** The cookie of an owner's browser. */
  cookie: string;
}

export function fuzzedRequest(
  seed: number,
  number: number,
  site: Site,
  credentials: Credentials,
): FuzzedRequest {
  // Neighbouring seeds would begin alike.
  const random = createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  for (let at = 0; at < 3; at++) random.next();
  const isFile = random.chance(0.12);
  const route = random.pick(site.routes);
  const path = isFile
    ? random.pick(site.files)
    : random.chance(0.04)
      ? oddPath(random)
      : fill(route.path, random);
  const usual = route.method === "ALL" ? random.pick(methods.slice(0, 5)) : route.method;
  const method = isFile
    ? random.pick(["GET", "GET", "HEAD", "POST"])
    : random.chance(0.93)
      ? usual
      : random.pick(methods);
  const headers = randomHeaders(random, path, credentials);
  const body =
    ["GET", "HEAD"].includes(method) && random.chance(0.95) ? undefined : randomBody(path, headers, random);
  return {
    method,
    path: `${path}${randomQuery(random)}`,
    headers,
    isFile,
    ...(body !== undefined && { body }),
  };
}

function fill(pattern: string, random: Random): string {
  return pattern
    .replace(/:(\w+)(\{[^}]*\})?\??/g, () =>
      random.chance(0.6) ? random.pick(["docs", "fuzz-a", "fuzz-b", "1"]) : random.pick(segments),
    )
    .replaceAll("*", () => random.pick(["", "x", "docs", "a/b", ...segments]));
}

function oddPath(random: Random): string {
  return `/${encodeURI(`${random.pick(["", "docs/", "assets/", "console/"])}${oddText(random)}`.toWellFormed())}`;
}

function randomQuery(random: Random): string {
  if (random.chance(0.6)) return "";
  const count = 1 + random.below(random.chance(0.02) ? 500 : 4);
  const part = () =>
    `${random.chance(0.9) ? random.pick(names) : "x%"}=${encodeURIComponent(oddText(random).toWellFormed())}`;
  return `?${Array.from({ length: count }, part).join("&").slice(0, 12_000)}`;
}

function randomHeaders(random: Random, path: string, { cookie }: Credentials): FuzzedRequest["headers"] {
  const headers: FuzzedRequest["headers"] = {};
  headers["content-type"] = random.chance(0.85) ? "application/json" : random.pick(types);
  if (path.includes("/documents") && random.chance(0.3))
    headers["content-type"] = random.pick(types.slice(4, 6));
  if (random.chance(0.75)) headers["authorization"] = admin.authorization;
  else if (random.chance(0.4))
    headers["authorization"] = random.pick(["Bearer x", "Basic x", "Bearer", `Bearer ${"a.".repeat(900)}`]);
  if (/^\/(?:console|auth|oauth)/.test(path) && random.chance(0.8)) headers["cookie"] = cookie;
  if (path.startsWith("/api") && random.chance(0.8)) headers["authorization"] = asOwner.authorization;
  if (path.startsWith("/mcp") && random.chance(0.9)) {
    headers["accept"] = "application/json, text/event-stream";
    headers["mcp-protocol-version"] = random.pick(["2025-11-25", "2026-07-28", "2025-03-26", "x"]);
    headers["mcp-method"] = random.pick(["tools/call", "tools/list", "x"]);
    headers["mcp-name"] = random.pick(["search_docs", "read_page"]);
  }
  const more: [string, string[]][] = [
    ["accept", ["text/markdown", "*/*;q=x", "text/html;q=0.1, text/markdown", ",,,;;"]],
    ["accept-encoding", ["gzip", "br", "identity;q=0", "zstd, *;q=0", "x"]],
    ["origin", ["https://evil.example", "null", "http://localhost:4173", "::"]],
    ["sec-fetch-site", ["cross-site", "same-origin", "x"]],
    ["if-none-match", ["*", 'W/"x"', '"', '"a", '.repeat(300)]],
    ["range", ["bytes=0-1", "bytes=-1", "bytes=9-1,1-2"]],
    ["x-forwarded-for", ["1.2.3.4", "::1", "unknown, ,", "127.0.0.1"]],
    ["content-encoding", ["gzip", "br", "identity"]],
    ["expect", ["100-continue"]],
    ["cookie", ["a=b", "millrace-session=x", ";;;="]],
    ["user-agent", ["", "Mozilla/5.0 (", "Googlebot"]],
  ];
  for (const [name, values] of more) if (random.chance(0.06)) headers[name] = random.pick(values);
  return headers;
}

function randomBody(path: string, headers: FuzzedRequest["headers"], random: Random): string | Buffer {
  const kind = random.below(100);
  if (kind < 2) return gzipSync(Buffer.alloc(BOMB_BYTES, random.pick(["[", "0", "a", "\0"])));
  if (kind < 4) return Buffer.from(Array.from({ length: random.below(500) }, () => random.below(256)));
  if (kind < 6) return "";
  const value = mutate(random, bodyFor(path, random), random.pick([0, 0.03, 0.1, 0.3]));
  const whole = path.startsWith("/errors") ? envelopeOf(value, random) : asText(value, headers, random);
  const text = whole.slice(0, TEXT_LENGTH);
  if (kind < 14) return text.slice(0, random.below(text.length + 1));
  if (kind < 16) return Buffer.from(text, "utf16le");
  if (kind < 17) return `\ufeff${text}`;
  const isIngest = /^\/(ingest|errors|insights)/.test(path);
  if (isIngest && random.chance(0.4)) {
    const zipped = gzipSync(text);
    return random.chance(0.1) ? zipped.subarray(0, random.below(zipped.length)) : zipped;
  }
  return text;
}

function asText(value: unknown, headers: FuzzedRequest["headers"], random: Random): string {
  const json = JSON.stringify(value) ?? "";
  const type = headers["content-type"];
  if (type === "application/x-ndjson") return json.replaceAll("},{", "}\n{");
  if (type === "text/csv") return `id,title\n1,${oddText(random)}\n"`;
  if (type === "application/x-www-form-urlencoded") return `data=${Buffer.from(json).toString("base64")}`;
  return json;
}

/** Bytes that are hardly HTTP, or not at all; Node's parser has to answer them. */
export const malformed: readonly string[] = [
  "\r\n\r\n",
  "GET\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "GET / HTTP/1.1\r\n\r\n",
  "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET * HTTP/1.1\r\nHost: x\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
  "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET // HTTP/1.1\r\nHost: \r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
  "GET /docs?q=%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  "POST /multi-search HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}",
  "POST /multi-search HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
  "POST /multi-search HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "POST /multi-search HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
  `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(70_000)}\r\n\r\n`,
  `GET /${"a".repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\n${"A: b\r\n".repeat(3000)}\r\n`,
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];
