/** The body of one of Node's own requests, as fast as it is taken. */
import type { AnyRequest, UploadPace } from "../connection.ts";
import { chargeBytes, paceUpload } from "../../fair/work-gate.ts";
import { expectsContinue, type NodeCall } from "./answer.ts";

/** The client has gone; nobody reads an answer. */
export class BrokenOffError extends Error {}

/** What has come of a body since the last time, in order. */
export type Pieces = readonly Buffer[];

/** Milliseconds that an upload may wait for the disk. */
const DISK_MS = 10 * 60 * 1000;

/**
 * What has come is handed over at this many bytes or pieces, since each write costs as much as many bytes do, or this soon
 * after its first byte. Until the former are taken, no more of it is read.
 */
const GATHERED_BYTES = 512 * 1024;
const GATHERED_PIECES = 256;
const GATHERED_MS = 20;

/**
 * @param take is given all that has come meanwhile; also what a client that leaves has sent
 * @throws BrokenOffError when the client does not send all of it; what `take` throws
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
  // With HTTP/2 a body that was broken off ends like a whole one.
  const isCut = "stream" in request ? request.stream.aborted || request.stream.rstCode !== 0 : false;
  if (isCut || (length !== undefined && bytes !== Number(length))) throw brokenOff();
}

/** Reads a request's body until enough of it waits to be taken. */
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
  // After `end`, the others change nothing.
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
      // An answer still has to go the same way when `take` fails; whoever sends it reads on, or does not.
      request.pause();
    },
  };
}

/**
 * The same for a body that may take as long as an upload does, and whose writer may be slower than its sender.
 * @param admitted what the guard of connections has given it; null: no more time than others
 * @param take needs nothing of the pieces when it resolves
 */
export async function takeUpload(
  { request, response, holder }: Pick<NodeCall, "request" | "response" | "holder">,
  admitted: UploadPace | null,
  take: (pieces: Pieces) => Promise<void>,
): Promise<void> {
  if (admitted) waitLonger(request);
  // Charged here.
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
    // In HTTP/2 they are parts of memory that others have parts of.
    if (!("stream" in request)) for (const piece of pieces) giveUp(piece);
  });
}

/** Smaller pieces are not worth it. */
const WORTHY_BYTES = 4 * 1024;

/**
 * Node's parser copies each piece into memory of its own, which is collected only when much of it has come together, in a pass
 * over the whole heap: a third of the time of a large upload. Given up, it is free at once.
 */
function giveUp({ buffer, length }: Buffer): void {
  // Never the pool, which others have parts of.
  if (length >= WORTHY_BYTES && length === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}

/**
 * Nothing is sent in either direction while the disk writes, or another server is asked; the guard looks after clients that
 * are silent. Node sets the time again for the next request.
 */
export function waitLonger(request: AnyRequest): void {
  if (!("stream" in request)) request.socket.setTimeout(DISK_MS);
}

const brokenOff = () => new BrokenOffError("The client has not sent the whole body.");
