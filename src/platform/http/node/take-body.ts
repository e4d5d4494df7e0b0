/** Reads the body of one of Node's own requests, as fast as it is taken. */
import type { AnyRequest, UploadPace } from "../connections/connection.ts";
import { chargeBytes, paceUpload } from "../../fair/work-gate.ts";
import { expectsContinue, type NodeCall } from "./answer.ts";

/** The client has left; the answer has no reader. */
export class BrokenOffError extends Error {}

/** Pieces of a body that arrived since the last call, in order. */
export type Pieces = readonly Buffer[];

/** Milliseconds that an upload may wait for the disk. */
const DISK_MS = 10 * 60 * 1000;

/**
 * Pieces are handed over at this many bytes or pieces, since each write is expensive, or this long after the first byte. No more
 * is read until earlier pieces are taken.
 */
const GATHERED_BYTES = 512 * 1024;
const GATHERED_PIECES = 256;
const GATHERED_MS = 20;

/**
 * @param take receives all bytes that arrived meanwhile, also from a client that has left
 * @throws BrokenOffError when the client does not send the whole body; the error of `take`
 */
export async function takeBody(
  { request, response, holder }: Pick<NodeCall, "request" | "response" | "holder">,
  take: (pieces: Pieces) => Promise<void>,
): Promise<void> {
  if (expectsContinue(request)) response.writeContinue();
  let bytes = 0;
  const waiting = gatherPieces(request);
  try {
    for (;;) {
      const pieces = await waiting.next();
      if (!pieces) break;
      for (const { length } of pieces) bytes += length;
      await take(pieces);
    }
  } finally {
    waiting.stop();
    if (holder !== undefined) chargeBytes(holder, bytes);
  }
  const length = request.headers["content-length"];
  // With HTTP/2 a body that was broken off ends like a complete body.
  const isCut = "stream" in request ? request.stream.aborted || request.stream.rstCode !== 0 : false;
  if (isCut || (length !== undefined && bytes !== Number(length))) throw brokenOff();
}

/** Reads a request's body until enough bytes wait to be taken. */
function gatherPieces(request: AnyRequest): { next: () => Promise<Pieces | null>; stop: () => void } {
  let held: Buffer[] = [];
  let bytes = 0;
  let isReady = false;
  let state: "coming" | "whole" | "broken" = request.destroyed ? "broken" : "coming";
  let wake = () => {};
  let timer: NodeJS.Timeout | undefined;
  const beReady = () => {
    clearTimeout(timer);
    isReady = true;
    wake();
  };
  const hold = (piece: Buffer) => {
    if (held.length === 0) timer = setTimeout(beReady, GATHERED_MS);
    held.push(piece);
    bytes += piece.length;
    if (bytes < GATHERED_BYTES && held.length < GATHERED_PIECES) return;
    request.pause();
    beReady();
  };
  const end = (to: typeof state) => () => {
    if (state === "coming") state = to;
    beReady();
  };
  // After `end`, the other events have no effect.
  const listeners = { data: hold, end: end("whole"), error: end("broken"), close: end("broken") };
  if (request.readableEnded) state = "whole";
  for (const [name, listener] of Object.entries(listeners)) request.on(name, listener);
  request.resume();
  return {
    async next() {
      if (!isReady && state === "coming") await new Promise<void>((resolve) => (wake = resolve));
      const pieces = held;
      if (pieces.length === 0) {
        if (state === "broken") throw brokenOff();
        return null;
      }
      held = [];
      bytes = 0;
      isReady = false;
      request.resume();
      return pieces;
    },
    stop() {
      clearTimeout(timer);
      for (const [name, listener] of Object.entries(listeners)) request.off(name, listener);
      // When `take` fails, an answer must still be sent on this connection; its sender decides whether to read on.
      request.pause();
    },
  };
}

/**
 * The same for a body that may take as long as an upload, and whose writer may be slower than its sender.
 * @param admitted from the connection guard; null: no additional time
 * @param take no longer needs the pieces when it resolves
 */
export async function takeUpload(
  { request, response, holder }: Pick<NodeCall, "request" | "response" | "holder">,
  admitted: UploadPace | null,
  take: (pieces: Pieces) => Promise<void>,
): Promise<void> {
  if (admitted) waitLonger(request);
  // Charged here, not in `takeBody`.
  await takeBody({ request, response }, async (pieces) => {
    let bytes = 0;
    for (const { length } of pieces) bytes += length;
    if (admitted) {
      admitted.receivedBytes += bytes;
      admitted.isHeld = true;
    }
    const turn = holder === undefined ? undefined : paceUpload(holder, bytes);
    if (turn) await turn;
    await take(pieces);
    if (admitted) admitted.isHeld = false;
    // In HTTP/2 they are parts of shared memory.
    if (!("stream" in request)) for (const piece of pieces) giveUp(piece);
  });
}

/** Not worth it for smaller pieces. */
const WORTHY_BYTES = 4 * 1024;

/**
 * Node's parser copies each piece into its own memory, which is collected only in bulk, in a pass over the whole heap: a third of
 * the time of a large upload. Transferred, it is free immediately.
 */
function giveUp({ buffer, length }: Buffer): void {
  // Never the pool, which is shared with other buffers.
  if (length >= WORTHY_BYTES && length === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}

/**
 * No bytes flow in either direction while the disk writes, or another server is called; the guard handles silent clients. Node
 * resets the time-out for the next request.
 */
export function waitLonger(request: AnyRequest): void {
  if (!("stream" in request)) request.socket.setTimeout(DISK_MS);
}

const brokenOff = () => new BrokenOffError("The client has not sent the whole body.");
