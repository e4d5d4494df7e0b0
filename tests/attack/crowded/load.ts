/**
 * A process of `gather`: sends all kinds of requests in parallel, repeatedly, until it is paused.
 *
 *     node load.ts '{"resident": {…}, "number": 0, "size": 1}'
 */
import { randomBytes, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { connect, type ClientHttp2Session } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { digestOf } from "../registry-client.ts";
import { json, type Sent } from "../requests.ts";
import { hexOf, pushImage, type Resident } from "./town.ts";

interface Options {
  resident: Resident;
  number: number;
  size: number;
  kinds?: string[];
}

const { resident, number, size, kinds } = JSON.parse(process.argv[2]!) as Options;
const { port, organization, tokens, repository, small, large, layer } = resident;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
/** Linux has these addresses: the clients stand for many machines. */
const localAddress = process.platform === "linux" ? `127.0.${60 + number}.1` : undefined;

let asked = number * 1_000;
const authorization = () => `Bearer ${tokens[asked++ % tokens.length]}`;
const counts: Record<string, Record<string, number>> = {};

/** @returns the status; 0 when the connection broke */
function ask({ method = "GET", path, headers = {}, body }: Sent): Promise<number> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const all = { authorization: authorization(), ...length, ...headers };
    const sent = request(
      { host: "127.0.0.1", port, method, path, headers: all, agent, localAddress },
      (answer) => {
        answer.resume();
        answer.once("close", () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0));
      },
    );
    sent.once("error", () => resolve(0));
    sent.end(body);
  });
}

let session: ClientHttp2Session | undefined;

function sessionNow(): ClientHttp2Session {
  if (session && !session.closed && !session.destroyed) return session;
  session = connect(`http://127.0.0.1:${port}`, {
    settings: { initialWindowSize: 4 * 1024 * 1024 },
    // With 10 MB, as by default, a client that sends four messages simultaneously accepts no answers.
    maxSessionMemory: 64,
  });
  session.on("error", () => {});
  session.setMaxListeners(0);
  return session;
}

/** @returns gRPC's code, as `grpc 8`; 0 when the stream broke */
function call(path: string, ...messages: Uint8Array[]): Promise<string> {
  return new Promise((resolve) => {
    let code = "";
    const stream = sessionNow().request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      authorization: authorization(),
    });
    const read = (headers: Record<string, unknown>) => {
      if (headers["grpc-status"] !== undefined) code = `grpc ${String(headers["grpc-status"])}`;
    };
    stream
      .on("response", read)
      .on("trailers", read)
      .on("error", () => {})
      .resume();
    stream.once("close", () => resolve(code || "0"));
    for (const message of messages) stream.write(frameMessage(message));
    stream.end();
  });
}

const REAPI = "/build.bazel.remote.execution.v2";
const text = (field: number, value: string | Uint8Array) => {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([Buffer.from([(field << 3) | 2]), varint(bytes.length), bytes]);
};
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest <= 0x7f) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}
const digestMessage = (hash: string, bytes: number) =>
  Buffer.concat([text(1, hash), Buffer.from([0x10]), varint(bytes)]);

/** As many digests as fit in a message of 4 MB. */
const MOST_DIGESTS = 55_000;
const findMissing = Buffer.concat([
  text(1, "bazel"),
  ...Array.from({ length: MOST_DIGESTS }, (_, at) =>
    text(2, digestMessage(at.toString(16).padStart(64, "0"), 1_000)),
  ),
]);
const readLarge = text(1, `bazel/blobs/${hexOf(large)}/${1024 * 1024}`);

function writeBlob(): Promise<string> {
  const bytes = randomBytes(512 * 1024);
  const name = `bazel/uploads/${randomUUID()}/blobs/${hexOf(digestOf(bytes))}/${bytes.length}`;
  const request_ = Buffer.concat([text(1, name), Buffer.from([0x18, 1]), text(10, bytes)]);
  return call("/google.bytestream.ByteStream/Write", request_);
}

/** As many as one batch may have in bytes. */
const BATCH_COUNT = 63;
const BATCH_BYTES = 64 * 1024;

function updateBatch(): Promise<string> {
  const requests = Array.from({ length: BATCH_COUNT }, () => {
    const bytes = randomBytes(BATCH_BYTES);
    const digest = digestMessage(hexOf(digestOf(bytes)), bytes.length);
    return text(2, Buffer.concat([text(1, digest), text(2, bytes)]));
  });
  const message = Buffer.concat([text(1, "bazel"), ...requests]);
  return call(`${REAPI}.ContentAddressableStorage/BatchUpdateBlobs`, message);
}

const largeDigest = digestMessage(hexOf(large), 1024 * 1024);
const readBatch = Buffer.concat([text(1, "bazel"), ...Array.from({ length: 4 }, () => text(2, largeDigest))]);

function upload(length: number): Promise<number> {
  const body = randomBytes(length);
  return ask({ method: "PUT", path: `/cache/bazel/cas/${hexOf(digestOf(body))}`, body });
}

const api = (method: string, body: object = {}) => ask(json(`/api/millrace.v1.${method}`, body));
const event = () => ({ event: "crowd", distinct_id: organization, properties: { at: Date.now() } });
const query = () => ({
  queries: [{ indexUid: "docs", q: `cache ${Math.random()}`, attributesToHighlight: ["*"] }],
});

/** An event stream is open for a second. */
async function watchEvents(): Promise<number> {
  const ended = new AbortController();
  try {
    const options = { headers: { authorization: authorization() }, signal: ended.signal };
    const { status, body } = await fetch(`http://127.0.0.1:${port}/app/${organization}/events`, options);
    if (status === 200) await sleep(1_000);
    ended.abort();
    await body?.cancel().catch(() => {});
    return status;
  } catch {
    return 0;
  }
}

const push = () => {
  const seed = `${organization}-${number}-${asked++}`;
  const headers = { authorization: authorization() };
  const pushed = pushImage({ port, repository, headers, tag: `t${asked % 50}`, seed });
  return pushed.then(
    () => 201,
    (error: Error) => Number(/: (\d+) /.exec(error.message)?.[1] ?? 0),
  );
};

/** Each kind of request, with the number of parallel requests in one process. */
const KINDS: Record<string, [atOnce: number, ask: () => Promise<number | string>]> = {
  "cache hit": [8, () => ask({ path: `/cache/bazel/cas/${hexOf(small)}` })],
  "cache hit of 1 MB": [4, () => ask({ path: `/cache/bazel/cas/${hexOf(large)}` })],
  "cache put of 10 KB": [8, () => upload(10 * 1024)],
  "cache put of 4 MB": [2, () => upload(4 * 1024 * 1024)],
  FindMissingBlobs: [2, () => call(`${REAPI}.ContentAddressableStorage/FindMissingBlobs`, findMissing)],
  BatchUpdateBlobs: [1, updateBatch],
  BatchReadBlobs: [1, () => call(`${REAPI}.ContentAddressableStorage/BatchReadBlobs`, readBatch)],
  "ByteStream.Read": [4, () => call("/google.bytestream.ByteStream/Read", readLarge)],
  "ByteStream.Write": [4, writeBlob],
  "API list": [4, () => api("ProjectService/List", { page_size: 100 })],
  "API search": [2, () => api("CacheService/ListLargeEntries")],
  WhoAmI: [4, () => api("AccountService/WhoAmI")],
  search: [4, () => ask(json("/multi-search", query()))],
  push: [2, push],
  "pull of a manifest": [4, () => ask({ path: `${repository}/manifests/stable` })],
  "pull of a blob": [4, () => ask({ path: `${repository}/blobs/${layer}` })],
  events: [8, watchEvents],
  telemetry: [2, () => ask(json("/ingest/e/", event()))],
  page: [4, () => ask({ path: "/docs/cache/overview", headers: { accept: "text/html" } })],
  "page with hits": [2, () => ask({ path: `/docs?q=w${asked++}`, headers: { accept: "text/html" } })],
};

let gate: { promise: Promise<void>; open: () => void } | null = null;
let busy = 0;

async function repeat(kind: string, run: () => Promise<number | string>): Promise<never> {
  const statuses = (counts[kind] = {} as Record<string, number>);
  for (;;) {
    if (gate) await gate.promise;
    busy += 1;
    const status = String(await run());
    busy -= 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
    // As any client that has to wait does; broken requests would be repeated without a pause.
    if (status === "429" || status === "grpc 8" || status === "0") await sleep(200);
  }
}

function pause(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate ??= { promise, open: resolve };
}

/** Requests under way are answered first. */
async function untilQuiet(): Promise<void> {
  for (let waited = 0; waited < 100; waited++) {
    if (busy === 0) return;
    await sleep(50);
  }
}

pause();
for (const [kind, [atOnce, run]] of Object.entries(KINDS))
  if (!kinds || kinds.includes(kind)) for (let lane = 0; lane < atOnce * size; lane++) void repeat(kind, run);

process.on("message", (told) => {
  if (told === "pause") pause();
  if (told === "resume") {
    gate?.open();
    gate = null;
  }
  void (told === "pause" ? untilQuiet() : Promise.resolve()).then(() => process.send?.(counts));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
