/** Sends the bytes of a blob, with back pressure. */
import type { BlobReader } from "../../blobs/open-blob.ts";
import type { AnyResponse } from "../connections/connection.ts";
import { chargeBytes, workGate } from "../../fair/work-gate.ts";
import { isGone, type NodeCall } from "./answer.ts";
import { BrokenOffError } from "./take-body.ts";

export interface SentPart {
  start: number;
  /** Exclusive. */
  end: number;
  /** Called before the first piece is sent: the piece has been verified. */
  begin: () => void;
  onSent: (bytes: number) => void;
}

/**
 * Sends the part, which may be empty, and ends the answer. The reader stays open.
 * @throws BrokenOffError when the client has left; the reader's errors, before or after `begin`
 */
export async function sendBlob(
  call: Pick<NodeCall, "request" | "response" | "holder">,
  reader: Pick<BlobReader, "bytes" | "giveBack">,
  { start, end, begin, onSent }: SentPart,
): Promise<void> {
  const { response } = call;
  let sent = 0;
  for await (const chunk of reader.bytes(start, end)) {
    if (isGone(response)) throw new BrokenOffError("The client has left.");
    if (sent === 0) begin();
    sent += chunk.length;
    onSent(chunk.length);
    const done = whenSent(call, () => reader.giveBack(chunk));
    if (sent === end - start) {
      if (call.holder !== undefined) chargeBytes(call.holder, chunk.length);
      return finish(response, chunk, done);
    }
    const turn = call.holder === undefined ? undefined : workGate.pace(call.holder, chunk.length);
    if (!write(response, chunk, done)) await untilDrained(response);
    if (turn) await turn;
  }
  if (sent === 0) begin();
  response.end();
}

type Done = (error?: Error | null) => void;

/** Calls `run` when the system has accepted all written bytes; never for a cut connection, which may still hold them. */
function whenSent(
  { request, response }: Pick<NodeCall, "request" | "response">,
  run: () => void,
): Done | undefined {
  // An HTTP/2 session may still hold bytes that its stream has finished with.
  if ("stream" in response) return undefined;
  const { socket } = request;
  return (error) => {
    if (!error && !socket.destroyed) run();
  };
}

// Both have these methods, with overloads that TypeScript cannot combine.
const write = (response: AnyResponse, chunk: Uint8Array, done: Done | undefined) =>
  (response as { write: (chunk: Uint8Array, done?: Done) => boolean }).write(chunk, done);
const finish = (response: AnyResponse, chunk: Uint8Array, done: Done | undefined) =>
  void (response as { end: (chunk: Uint8Array, done?: Done) => unknown }).end(chunk, done);

function untilDrained(response: AnyResponse): Promise<void> {
  if (isGone(response)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}
