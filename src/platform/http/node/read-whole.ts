import type { NodeCall } from "./answer.ts";
import { takeBody } from "./take-body.ts";

/** Most small bodies are smaller than this. */
const FIRST_BYTES = 2048;

export interface ReadWholeOptions {
  maxBytes: number;
  /** Makes the error for more bytes. */
  tooLarge: () => Error;
  onBytes?: (bytes: number) => void;
}

/**
 * A small body, in one piece. Takes at most twice its size in memory, even if its bytes arrive one by one. @throws
 * BrokenOffError; the error of `tooLarge`, before reading if the declared length is too large
 */
export async function readWhole(
  call: Pick<NodeCall, "request" | "response" | "holder">,
  { maxBytes, tooLarge, onBytes }: ReadWholeOptions,
): Promise<Buffer> {
  if (Number(call.request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  let held = Buffer.allocUnsafe(FIRST_BYTES);
  let bytes = 0;
  await takeBody(call, (pieces) => {
    for (const piece of pieces) {
      const end = bytes + piece.length;
      onBytes?.(piece.length);
      if (end > maxBytes) return Promise.reject(tooLarge());
      if (end > held.length) held = Buffer.concat([held], Math.max(end, 2 * held.length));
      bytes += piece.copy(held, bytes);
    }
    return Promise.resolve();
  });
  return held.subarray(0, bytes);
}
