/**
 * Names of the files in a tar, and how each begins (POSIX.1, "ustar Interchange Format"):
 *
 *   header, 512 bytes: name, size, type ─► content, up to a multiple of 512 ─► header …
 */
const BLOCK_BYTES = 512;
const NAME = { at: 0, length: 100 };
const SIZE = { at: 124, length: 12 };
const TYPE = { at: 156, length: 1 };
const PREFIX = { at: 345, length: 155 };
/** These describe the file that follows, such as fractions of a second. */
const EXTENSIONS: ReadonlySet<string> = new Set(["x", "g", "L", "K"]);
const NOTHING = Buffer.alloc(0);

export interface TarFile {
  name: string;
  start: Buffer;
}

export interface TarLimits {
  /** Bytes to read, approximately: reading ends with the chunk that exceeds them. */
  maxBytes: number;
  /** Bytes per file. */
  startBytes: number;
}

/** Ends where the bytes are not a tar. */
export async function* readTar(
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, startBytes }: TarLimits,
): AsyncIterable<TarFile> {
  let passed = 0;
  let skip = 0;
  let held = NOTHING;
  let file: { name: string; isExtension: boolean; wanted: number; rest: number } | null = null;
  for await (const chunk of bytes) {
    let at = 0;
    while (at < chunk.length) {
      const wanted = skip > 0 ? skip : (file?.wanted ?? BLOCK_BYTES) - held.length;
      const piece = chunk.subarray(at, at + wanted);
      at += piece.length;
      if (skip > 0) {
        skip -= piece.length;
        continue;
      }
      held = Buffer.concat([held, piece]);
      if (piece.length < wanted) continue;
      if (file === null) {
        const header = readHeader(held);
        if (header === null) return;
        const wantedOfFile = Math.min(header.size, startBytes);
        file = { ...header, wanted: wantedOfFile, rest: roundUp(header.size) - wantedOfFile };
        held = NOTHING;
        if (wantedOfFile > 0) continue;
      }
      if (!file.isExtension) yield { name: file.name, start: held };
      skip = file.rest;
      held = NOTHING;
      file = null;
    }
    passed += chunk.length;
    if (passed >= maxBytes) return;
  }
}

const roundUp = (size: number) => Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;

function readHeader(block: Buffer): { name: string; isExtension: boolean; size: number } | null {
  const textAt = ({ at, length }: { at: number; length: number }) =>
    block
      .subarray(at, at + length)
      .toString()
      .replace(/\0[\s\S]*$/, "");
  const size = textAt(SIZE).trim();
  const name = textAt(NAME);
  if (name === "" || !/^[0-7]{1,11}$/.test(size)) return null;
  const isPosix = block.subarray(257, 262).toString() === "ustar" && block[262] === 0;
  const prefix = isPosix ? textAt(PREFIX) : "";
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    isExtension: EXTENSIONS.has(textAt(TYPE)),
    size: Number.parseInt(size, 8),
  };
}
