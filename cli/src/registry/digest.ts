/** Bytes that match their digest. */
import { createHash, type Hash } from "node:crypto";
import { CliError } from "../errors.ts";

export const digestOf = (bytes: Uint8Array): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

export function hashFor(digest: string): Hash {
  return createHash(digest.startsWith("sha512:") ? "sha512" : "sha256");
}

/**
 * Holds back the last chunk until all bytes are verified: a receiver that expects `size` bytes gets fewer if they are wrong.
 * @throws CliError at the end if the bytes do not match, or there are too many
 */
export async function* verified(
  chunks: AsyncIterable<Uint8Array>,
  { digest, size }: { digest: string; size: number },
): AsyncGenerator<Uint8Array> {
  const hash = hashFor(digest);
  let seen = 0;
  let last: Uint8Array | undefined;
  for await (const chunk of chunks) {
    seen += chunk.length;
    if (seen > size) break;
    hash.update(chunk);
    if (chunk.length === 0) continue;
    if (last) yield last;
    last = chunk;
  }
  if (seen !== size || `${digest.split(":")[0]}:${hash.digest("hex")}` !== digest)
    throw new CliError(
      `the received bytes do not match ${digest}: try again, and check any proxy in between`,
    );
  if (last) yield last;
}
