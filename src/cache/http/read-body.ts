/** Bodies that the cache accepts. */
import type { AnyRequest } from "#platform/http/connections/connection.ts";
import { readWhole } from "#platform/http/node/read-whole.ts";
import { takeBody } from "#platform/http/node/take-body.ts";
import type { CacheCall } from "./call.ts";
import { badRequest, CacheFailure, tooLarge } from "./failures.ts";
import { MAX_QUESTION_BYTES } from "./limits.ts";

/** The length that the client announces; undefined: none. @throws CacheFailure for a body in a form that is not read */
export function readLength({ headers }: AnyRequest): number | undefined {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity")
    throw new CacheFailure([415, "invalid_argument"], "send the body without Content-Encoding");
  if (headers["content-range"] !== undefined) throw badRequest("send the whole body, without Content-Range");
  const length = headers["content-length"];
  return length === undefined ? undefined : Number(length);
}

/** Reads a body that is not needed. */
export async function dropBody(call: CacheCall, maxBytes: number): Promise<void> {
  const tooMuch = () => tooLarge(`the body can have at most ${maxBytes} bytes`);
  if ((readLength(call.request) ?? 0) > maxBytes) throw tooMuch();
  let bytes = 0;
  await takeBody(call, (pieces) => {
    for (const { length } of pieces) bytes += length;
    return bytes > maxBytes ? Promise.reject(tooMuch()) : Promise.resolve();
  });
}

/** Reads a body that is small by its nature. */
export async function readQuestion(call: CacheCall): Promise<string> {
  const maxBytes = MAX_QUESTION_BYTES;
  // The headers are checked first.
  readLength(call.request);
  const tooMuch = () => tooLarge(`the body can have at most ${maxBytes} bytes`);
  return (await readWhole(call, { maxBytes, tooLarge: tooMuch })).toString("utf8");
}
