/** Bodies of requests, piece by piece, and what must be known about their ends. */
import type { AnyRequest } from "#platform/http/connection.ts";
import { expectsContinue } from "./answer.ts";
import type { CacheCall } from "./call.ts";
import { badRequest, BrokenOffError, CacheFailure, tooLarge } from "./failures.ts";
import { MAX_QUESTION_BYTES } from "./limits.ts";

/** What the client says; undefined when it does not. @throws CacheFailure when the body has a form that is not read */
export function readLength({ headers }: AnyRequest): number | undefined {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity")
    throw new CacheFailure([415, "invalid_argument"], "send the body without Content-Encoding");
  if (headers["content-range"] !== undefined) throw badRequest("send the whole body, without Content-Range");
  const length = headers["content-length"];
  return length === undefined ? undefined : Number(length);
}

/**
 * @param take one piece after the other; the next one is read when it has resolved
 * @throws BrokenOffError when the client does not send all of it; what `take` throws
 */
export async function readBody(
  { request, response }: Pick<CacheCall, "request" | "response">,
  take: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  if (expectsContinue(request)) response.writeContinue();
  let bytes = 0;
  // An answer still has to go the same way when `take` fails.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const next = await chunks.next().catch(asBrokenOff);
      if (next.done) break;
      bytes += next.value.length;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await take(next.value);
    }
  } finally {
    await chunks.return?.();
  }
  const length = request.headers["content-length"];
  // With HTTP/2 a body that was broken off ends like a whole one.
  const isCut = "stream" in request ? request.stream.aborted || request.stream.rstCode !== 0 : false;
  if (isCut || (length !== undefined && bytes !== Number(length)))
    throw new BrokenOffError("The client has not sent the whole body.");
}

function asBrokenOff(error: unknown): never {
  throw new BrokenOffError("The client has not sent the whole body.", { cause: error });
}

/** A body that is small by its nature. */
export async function readQuestion(call: CacheCall, maxBytes = MAX_QUESTION_BYTES): Promise<string> {
  const message = `a question has at most ${maxBytes} bytes`;
  if ((readLength(call.request) ?? 0) > maxBytes) throw tooLarge(message);
  const chunks: Buffer[] = [];
  let bytes = 0;
  await readBody(call, (chunk) => {
    bytes += chunk.length;
    if (bytes > maxBytes) return Promise.reject(tooLarge(message));
    chunks.push(chunk);
    return Promise.resolve();
  });
  return Buffer.concat(chunks).toString("utf8");
}
