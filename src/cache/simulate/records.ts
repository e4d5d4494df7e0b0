/**
 * Which requests are logged, and their format: 12 bytes each.
 *
 *   0      6        7         12
 *   │ key  │ what   │ bytes   │        the key is a hash of 48 bits, numbers are little-endian
 */
import { SAMPLED_OF } from "./limits.ts";

export const RECORD_BYTES = 12;

/** `get`: requested, and found. `miss`: requested, and missing. `use`: written, or used without a request. */
export const ACCESSES = ["get", "miss", "use"] as const;
export type AccessKind = (typeof ACCESSES)[number];

export interface AccessRecord {
  key: number;
  kind: AccessKind;
  /** The entry's size; 0 for a miss. */
  bytes: number;
}

const MAX_BYTES = 2 ** 40 - 1;
const UPPER = 2 ** 32;

/** @returns null for keys that are not logged; the same key always has the same hash */
export function sampleKey(key: string): number | null {
  // FNV-1a twice with different starts, and the end of MurmurHash3, because keys often differ only at their end.
  let one = 0x81_1c_9d_c5;
  let other = 0x9e_37_79_b9;
  for (let index = 0; index < key.length; index += 1) {
    const code = key.charCodeAt(index);
    one = Math.imul(one ^ code, 0x01_00_01_93);
    other = Math.imul(other ^ code, 0x85_eb_ca_6b);
  }
  one = mix(one);
  if (one % SAMPLED_OF !== 0) return null;
  return (one >>> 16) * UPPER + mix(other);
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

export function writeRecord(target: Buffer, offset: number, { key, kind, bytes }: AccessRecord): void {
  target.writeUIntLE(key, offset, 6);
  target.writeUInt8(ACCESSES.indexOf(kind), offset + 6);
  target.writeUIntLE(Math.min(bytes, MAX_BYTES), offset + 7, 5);
}

export function readRecord(source: Buffer, offset: number): AccessRecord {
  return {
    key: source.readUIntLE(offset, 6),
    kind: ACCESSES[source.readUInt8(offset + 6)] ?? "use",
    bytes: source.readUIntLE(offset + 7, 5),
  };
}
