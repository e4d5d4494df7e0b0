/**
 * A page with one place that each answer fills, as cheap as a static page: both halves are compressed in
 * advance, and the filling goes between them uncompressed.
 *
 *   gzip:   header │ first half, deflated, byte-aligned │ stored block │ second half, deflated │ CRC, size
 */
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { StaticFile } from "#platform/http/static-files.ts";

/** Maximum length of a stored block; the format has 16 bits for it. */
const MAX_FILLING = 65_535;
/** Magic number, deflate, no flags, no time, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** @throws if the page does not have the place, or the filling is longer than a block. */
export function fillablePage(page: StaticFile, place: string): (filling: string) => StaticFile {
  const at = page.identity.indexOf(place);
  if (at < 0)
    throw new Error(`The page has no place "${place}": remove the build folder and run the command again.`);
  const before = page.identity.subarray(0, at);
  const after = page.identity.subarray(at + Buffer.byteLength(place));
  const packedBefore = deflateRawSync(before, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  const packedAfter = deflateRawSync(after, { level: 9 });
  const checkedBefore = crc32(before);
  const { br: _br, isPackedLate: _late, ...unpacked } = page;

  return (filling) => {
    const text = Buffer.from(filling);
    if (text.length > MAX_FILLING) throw new Error(`A filling has at most ${MAX_FILLING} bytes.`);
    const block = Buffer.alloc(5);
    block.writeUInt16LE(text.length, 1);
    block.writeUInt16LE(~text.length & 0xffff, 3);
    const end = Buffer.alloc(8);
    end.writeUInt32LE(crc32(after, crc32(text, checkedBefore)), 0);
    end.writeUInt32LE(before.length + text.length + after.length, 4);
    return {
      ...unpacked,
      gzip: Buffer.concat([GZIP_HEADER, packedBefore, block, text, packedAfter, end]),
      // Rarely requested.
      get identity() {
        return Buffer.concat([before, text, after]);
      },
    };
  };
}
