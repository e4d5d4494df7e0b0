import type { ServerHttp2Stream } from "node:http2";
import { constants } from "node:http2";
import { Code } from "@connectrpc/connect";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { FREE_BYTES, type MessageRoom, NoRoomError, type Place } from "#platform/grpc/message-room.ts";
import { createMessageSplitter } from "#platform/grpc/split-messages.ts";
import { REQUEST_MS } from "./limits.ts";
import { chargeJudged } from "./pass-bytes.ts";

export interface WholeRequest {
  message: Buffer;
  /** Releases the memory that it holds. */
  release: () => void;
}

/**
 * Reads a request that consists of one message.
 * @param holder the organization whose share of memory and event loop it uses
 * @throws GrpcError; another Error when the client disconnects
 */
export async function readRequest(
  stream: ServerHttp2Stream,
  maxBytes: number,
  { room, holder }: { room: MessageRoom; holder: string },
): Promise<WholeRequest> {
  const splitter = createMessageSplitter(maxBytes);
  let place: Place | undefined;
  let message: Buffer | null = null;
  // A client this slow would never finish.
  const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), REQUEST_MS);
  const release = () => place?.release();
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      // Not paced: its time is limited, and so are the bytes of an organization.
      chargeJudged(holder, (chunk as Buffer).length);
      splitter.push(chunk as Buffer);
      message ??= splitter.next();
      if (message && splitter.isWithin)
        throw new GrpcError(Code.InvalidArgument, "this call takes one message, but received more");
      if (place || splitter.awaitedBytes <= FREE_BYTES) continue;
      place = room.take(holder, splitter.awaitedBytes);
      await place.ready;
    }
    if (!message) throw new GrpcError(Code.InvalidArgument, "the message is missing or cut off");
    return { message, release };
  } catch (cause) {
    release();
    if (cause instanceof NoRoomError)
      throw new GrpcError(Code.ResourceExhausted, "too many large requests at once: try again", { cause });
    throw cause;
  } finally {
    clearTimeout(late);
  }
}
