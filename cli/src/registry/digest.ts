/** Bytes that are what their digest says. */
import { createHash, type Hash } from "node:crypto";
import { CliError } from "../errors.ts";

export const digestOf = (bytes: Uint8Array): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

export function hashFor(digest: string): Hash {
  return createHash(digest.startsWith("sha512:") ? "sha512" : "sha256");
}

/**
 * The last chunk comes when all have proved right: who has been promised `size` bytes gets fewer of those that are wrong.
 * @throws CliError at its end for other bytes, or more than there should be
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
