/**
 * Headers of tar (ustar): 512 bytes each, then the file, filled up to the next 512.
 *
 *   name 100 │ mode 8 │ uid 8 │ gid 8 │ size 12 │ mtime 12 │ checksum 8 │ type 1 │ …  │ "ustar\0" │ …
 *
 * https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html, "ustar Interchange Format"
 */
import { CliError } from "../errors.ts";

export const BLOCK = 512;
const SIZE_AT = 124;
const CHECKSUM_AT = 148;
const TYPE_AT = 156;
const PREFIX_AT = 345;
/** The largest number of eleven octal digits; larger sizes use GNU's binary form. */
const MAX_OCTAL = 8 ** 11 - 1;

/** @param name at most 100 bytes of ASCII */
export function tarHeader(name: string, size: number, mode = 0o644): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100, "ascii");
  header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100, "ascii");
  header.write("0000000\0", 108, "ascii");
  header.write("0000000\0", 116, "ascii");
  if (size <= MAX_OCTAL) header.write(`${size.toString(8).padStart(11, "0")}\0`, SIZE_AT, "ascii");
  else {
    header[SIZE_AT] = 0x80;
    header.writeBigUInt64BE(BigInt(size), SIZE_AT + 4);
  }
  // A constant time, so that the same images give the same archive.
  header.write("00000000000\0", 136, "ascii");
  header.write("0", TYPE_AT, "ascii");
  header.write("ustar\u000000", 257, "latin1");
  header.write("        ", CHECKSUM_AT, "ascii");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, CHECKSUM_AT, "ascii");
  return header;
}

export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

export interface TarEntry {
  name: string;
  size: number;
  /** "0" for a file, "5" for a folder. */
  type: string;
}

/** @returns null at the end of the archive. @throws CliError if it is not a tar header */
export function readTarHeader(block: Buffer): TarEntry | null {
  if (block.every((byte) => byte === 0)) return null;
  const stored = Number.parseInt(block.toString("latin1", CHECKSUM_AT, CHECKSUM_AT + 8).trim(), 8);
  const sum = block.reduce(
    (total, byte, at) => total + (at >= CHECKSUM_AT && at < CHECKSUM_AT + 8 ? 0x20 : byte),
    0,
  );
  const size = readSize(block);
  if (stored !== sum || size === undefined) throw new CliError("it is not a tar archive, or it is damaged");
  const isUstar = block.toString("latin1", 257, 262) === "ustar";
  const prefix = isUstar ? textAt(block, PREFIX_AT, 155) : "";
  const name = textAt(block, 0, 100);
  const type = block.toString("latin1", TYPE_AT, TYPE_AT + 1).replace("\0", "0");
  return { name: (prefix === "" ? name : `${prefix}/${name}`).replace(/^(?:\.\/)+/, ""), size, type };
}

function readSize(block: Buffer): number | undefined {
  const isBinary = (block[SIZE_AT] ?? 0) >= 0x80;
  const size = isBinary
    ? Number(block.readBigUInt64BE(SIZE_AT + 4))
    : Number.parseInt(
        block
          .toString("latin1", SIZE_AT, SIZE_AT + 12)
          .replaceAll("\0", "")
          .trim() || "0",
        8,
      );
  return Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

const textAt = (block: Buffer, at: number, length: number): string =>
  block.toString("utf8", at, at + length).split("\0", 1)[0] ?? "";
