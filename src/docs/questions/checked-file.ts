/**
 * Files with a head and a checksum over everything after it:
 *
 *   magic (4 bytes)   version, three numbers (4 bytes each)   SHA-256 of the body (32 bytes)   body
 */
import { createHash } from "node:crypto";

const HEAD = 52;

/** A file that cannot be used, with the reason. */
export class TableError extends Error {}

export interface Checked {
  numbers: readonly [number, number, number];
  body: Uint8Array;
}

/** @throws TableError */
export function readChecked(bytes: Uint8Array, magic: string, version: number): Checked {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD) throw new TableError(`it is cut off after ${bytes.length} bytes`);
  if (new TextDecoder().decode(bytes.subarray(0, 4)) !== magic)
    throw new TableError("it is another kind of file");
  const found = view.getUint32(4, true);
  if (found !== version) throw new TableError(`it has version ${found}, and version ${version} is read`);
  const body = bytes.subarray(HEAD);
  const sum = createHash("sha256").update(body).digest();
  if (!sum.equals(bytes.subarray(20, HEAD)))
    throw new TableError("it is cut off or damaged: its checksum differs");
  return { numbers: [view.getUint32(8, true), view.getUint32(12, true), view.getUint32(16, true)], body };
}

export function writeChecked(magic: string, version: number, { numbers, body }: Checked): Uint8Array {
  const bytes = new Uint8Array(HEAD + body.length);
  bytes.set(new TextEncoder().encode(magic));
  const view = new DataView(bytes.buffer);
  [version, ...numbers].forEach((number, at) => view.setUint32(4 + 4 * at, number, true));
  bytes.set(createHash("sha256").update(body).digest(), 20);
  bytes.set(body, HEAD);
  return bytes;
}
