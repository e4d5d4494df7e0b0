/** Requests to a `buildkitd`, over a socket that only this server has: always for its own records, never what a client says. */
import { connect } from "node:net";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Content } from "../gen/buildkit/content_pb.ts";
import { type BuildHistoryRecord, Control } from "../gen/buildkit/control_pb.ts";

/** For a layer list or a log in one message. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export type BuildKit = Client<typeof Control>;

export const openBuildKit = (socket: string): BuildKit => createClient(Control, connectTo(socket));

const connectTo = (socket: string) =>
  createGrpcTransport({
    // Never resolved: each connection goes to the socket.
    baseUrl: "http://buildkitd",
    nodeOptions: { createConnection: () => connect(socket) },
    readMaxBytes: MAX_MESSAGE_BYTES,
    idleConnectionTimeoutMs: 10_000,
  });

/** A blob of its history. @returns null if the blob is larger than `maxBytes` */
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

/** @returns its record of a solve; null if there is none, or the solve has not ended */
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
