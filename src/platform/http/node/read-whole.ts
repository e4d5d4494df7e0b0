import type { NodeCall } from "./answer.ts";
import { takeBody } from "./take-body.ts";

/** What most bodies that are small by their nature are smaller than. */
const FIRST_BYTES = 2048;

export interface ReadWholeOptions {
  maxBytes: number;
  /** Made when there are more. */
  tooLarge: () => Error;
  onBytes?: (bytes: number) => void;
}

/**
 * A body that is small by its nature, in one piece. It takes no more memory than twice its bytes, although they come one by
 * one. @throws BrokenOffError; what `tooLarge` makes, before a client that says the length has sent anything
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
