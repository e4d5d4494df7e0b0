/** Questions to a `buildkitd`, over the socket that only this server has: never what a client says, always its own records. */
import { connect } from "node:net";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Content } from "../gen/buildkit/content_pb.ts";
import { type BuildHistoryRecord, Control } from "../gen/buildkit/control_pb.ts";

/** A layer's list or a log in one message. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export type BuildKit = Client<typeof Control>;

export const openBuildKit = (socket: string): BuildKit => createClient(Control, connectTo(socket));

const connectTo = (socket: string) =>
  createGrpcTransport({
    // Nobody resolves it: each connection is one to the socket.
    baseUrl: "http://buildkitd",
    nodeOptions: { createConnection: () => connect(socket) },
    readMaxBytes: MAX_MESSAGE_BYTES,
    idleConnectionTimeoutMs: 10_000,
  });

/** A blob of its history. @returns null: it is larger than `maxBytes` */
export async function readBlob(
  socket: string,
  { digest, maxBytes, signal }: { digest: string; maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const { data } of createClient(Content, connectTo(socket)).read({ digest }, { signal })) {
    length += data.length;
    if (length > maxBytes) return null;
    parts.push(data);
  }
  return Buffer.concat(parts);
}

/** @returns what it has written down of a solve; null: nothing, or it has not ended */
export async function readRecord(
  client: BuildKit,
  ref: string,
  signal: AbortSignal,
): Promise<BuildHistoryRecord | null> {
  let found: BuildHistoryRecord | null = null;
  for await (const { record } of client.listenBuildHistory({ ref, earlyExit: true }, { signal }))
    if (record?.ref === ref && record.completedAt) found = record;
  return found;
}
