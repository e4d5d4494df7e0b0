import { createHash } from "node:crypto";

/** The number of leading zero bits of SHA-256(SHA-256(challenge) ‖ nonce as 8 bytes); 32 at most. */
export function zeroBits(challenge: string, nonce: number): number {
  const counted = Buffer.alloc(8);
  counted.writeBigUInt64BE(BigInt(nonce));
  const key = createHash("sha256").update(challenge).digest();
  const hash = createHash("sha256").update(key).update(counted).digest();
  return Math.clz32(hash.readUInt32BE(0));
}
