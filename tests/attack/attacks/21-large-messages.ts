import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { randomUUID } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { byteStreamMessages } from "#cache/index.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import type { Attack, Stage } from "../attack.ts";
import { send } from "../requests.ts";
import { OWNER_TOKEN } from "../server-process.ts";

/** The most that one address may have under way, in as few sessions as possible. */
const CALLS = 480;
const CALLS_PER_SESSION = 96;
const MESSAGE_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 16 * 1024;
/** Time for all that the server takes to be sent, in milliseconds. */
const SEND_MS = { short: 5_000, usual: 15_000 };

const FIND = "/build.bazel.remote.execution.v2.ContentAddressableStorage/FindMissingBlobs";
const WRITE = "/google.bytestream.ByteStream/Write";
/** The most that a decoder has to remember. */
const WINDOW_BYTES = 8 * 1024 * 1024;

export const largeMessages: Attack = {
  item: 21,
  name: "large messages",
  bound:
    "A client that has a token and sends hundreds of large messages, small ones that unpack to large ones, or compressed uploads without an end, takes no more than their share.",
  async run(stage) {
    for (const addresses of stage.isShort ? [4] : [1, 4])
      await crowd(stage, {
        name: `${CALLS} messages of 4 MB without an end, of ${addresses} address${addresses > 1 ? "es" : ""}`,
        addresses,
        // All but the last byte.
        body: frameMessage(Buffer.alloc(MESSAGE_BYTES, 0x61)).subarray(0, -1),
      });
    await crowd(stage, {
      name: `${CALLS} messages of 4 MB with two million empty digests`,
      addresses: 4,
      body: frameMessage(Buffer.alloc(MESSAGE_BYTES, Buffer.from([0x12, 0]))),
    });
    await crowd(stage, {
      name: `${CALLS} compressed uploads of 350 bytes that unpack to 8 MB, without an end`,
      addresses: 4,
      path: WRITE,
      body: writeBomb,
    });
  },
};

interface Crowd {
  name: string;
  addresses: number;
  path?: string;
  /** A function makes one for each call, which is sent and stays open. */
  body: Buffer | (() => Buffer);
}

const schema = byteStreamMessages.WriteRequestSchema;

/** The first message of an upload, with blocks of zstd that each say 128 KB of one letter, and no last block. */
function writeBomb(): Buffer {
  const block = Buffer.from([(1 << 1) | 0, 0, 0x10, 0x61]);
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (Math.log2(WINDOW_BYTES) - 10) << 3]);
  const data = Buffer.concat([header, ...Array.from({ length: WINDOW_BYTES / 0x20000 }, () => block)]);
  const resourceName = `uploads/${randomUUID()}/compressed-blobs/zstd/${"0".repeat(64)}/${WINDOW_BYTES}`;
  return frameMessage(toBinary(schema, create(schema, { resourceName, data })));
}

async function crowd(stage: Stage, attempt: Crowd): Promise<void> {
  // A server of its own: free memory that earlier attacks left in a shared one would count.
  const server = await stage.server();
  const { name, addresses } = attempt;
  const sessions: ClientHttp2Session[] = [];
  const { result, figure } = await stage.measure(server, name, async () => {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), stage.isShort ? SEND_MS.short : SEND_MS.usual);
    const calls: Promise<{ sent: number; code: number | null }>[] = [];
    for (let at = 0; at < CALLS / CALLS_PER_SESSION; at++) {
      const session = await openSession(server.port, stage.address(at % addresses));
      sessions.push(session);
      for (let call = 0; call < CALLS_PER_SESSION; call++)
        calls.push(sendCall(session, attempt, over.signal));
    }
    const seen = await Promise.all(calls);
    clearTimeout(timer);
    const page = await send(server.port, { path: "/docs", from: stage.address(5000) });
    return { seen, page };
  });
  for (const session of sessions) session.destroy();
  const { seen, page } = result;
  stage.check(page.status === 200, `${name}: a newcomer was answered ${page.failure ?? page.status}`);
  const codes = new Map<number | null, number>();
  for (const { code } of seen) codes.set(code, (codes.get(code) ?? 0) + 1);
  // Neither unauthenticated nor an error of the server.
  for (const code of codes.keys())
    stage.check([null, 3, 8].includes(code), `${name}: a call ended with gRPC's code ${code}`);
  const sentBytes = seen.reduce((sum, { sent }) => sum + sent, 0);
  const outcome = [...codes].map(([code, count]) => `${count} × ${code === null ? "no answer yet" : code}`);
  stage.report(name, `gRPC ${outcome.join(", ")}`, { sentBytes, ...figure });
}

async function openSession(port: number, from: string): Promise<ClientHttp2Session> {
  const session = connect(`http://127.0.0.1:${port}`, {
    createConnection: () =>
      connectSocket({
        host: "127.0.0.1",
        port,
        ...(process.platform === "linux" && { localAddress: from }),
      }),
  });
  session.on("error", () => {});
  await once(session, "connect");
  return session;
}

/** Sends as much as the server takes until it answers or the time is over. */
async function sendCall(
  session: ClientHttp2Session,
  { path = FIND, body: made }: Crowd,
  signal: AbortSignal,
): Promise<{ sent: number; code: number | null }> {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${OWNER_TOKEN}`,
  });
  let code: number | null = null;
  stream.on("error", () => {});
  for (const event of ["response", "trailers"])
    stream.on(event, (headers: Record<string, unknown>) => {
      if (headers["grpc-status"] !== undefined) code = Number(headers["grpc-status"]);
    });
  stream.resume();
  const body = typeof made === "function" ? made() : made;
  let sent = 0;
  while (sent < body.length && !stream.destroyed && !signal.aborted) {
    const piece = body.subarray(sent, sent + PIECE_BYTES);
    sent += piece.length;
    if (!stream.write(piece)) await untilDrained(stream, signal);
  }
  if (sent === body.length && !signal.aborted) await untilOver(stream, signal);
  return { sent, code };
}

const untilDrained = (stream: ClientHttp2Stream, signal: AbortSignal) =>
  untilAny(stream, ["drain", "close"], signal);
const untilOver = (stream: ClientHttp2Stream, signal: AbortSignal) => untilAny(stream, ["close"], signal);

function untilAny(stream: ClientHttp2Stream, events: string[], signal: AbortSignal): Promise<void> {
  if (stream.destroyed || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) stream.off(event, done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
    signal.addEventListener("abort", done);
  });
}
