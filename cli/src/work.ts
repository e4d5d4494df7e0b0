/**
 * Work that a server asks for while others flood it: a number for which
 * SHA-256(SHA-256(challenge) ‖ number as 8 bytes) begins with `bits` zero bits.
 */
import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";

export interface Work {
  challenge: string;
  bits: number;
}

/** The most that a server may ask for: half a minute on a slow machine. */
const MAX_BITS = 24;
/** Attempts between two checks for Ctrl-C. */
const TRIES_AT_ONCE = 10_000;

/** The work that an answer asks for; undefined for none, or for more than any server asks. */
export function askedWork(answer: unknown): Work | undefined {
  const { work } = (answer ?? {}) as { work?: Partial<Work> | null };
  const { challenge, bits } = work ?? {};
  if (typeof challenge !== "string" || !/^[\w.-]{1,2000}$/.test(challenge)) return undefined;
  return typeof bits === "number" && bits >= 0 && bits <= MAX_BITS ? { challenge, bits } : undefined;
}

/** @returns the header with the finished work */
export async function doWork({ challenge, bits }: Work): Promise<{ "Millrace-Work": string }> {
  const message = Buffer.alloc(40);
  createHash("sha256").update(challenge).digest().copy(message);
  for (let tried = 0; ; tried += 1) {
    message.writeUIntBE(tried, 34, 6);
    const hash = createHash("sha256").update(message).digest();
    if (Math.clz32(hash.readUInt32BE(0)) >= bits) return { "Millrace-Work": `${challenge}:${tried}` };
    if (tried % TRIES_AT_ONCE === 0) await turn();
  }
}
