/**
 * The Huffman code of HTTP/2's headers (RFC 7541, appendix B). It is canonical: codes of one length count up in the order of their
 * symbols, and the next length continues from there. So the lengths alone define the code.
 */

/** Code lengths of the bytes 0 to 255 and of the end of string, as digits up to `u`, 30. */
const LENGTHS =
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6" +
  "f56565666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn" +
  "qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu";
const RADIX = 31;
const LONGEST = 30;
const END = 256;

const lengths = Array.from(LENGTHS, (digit) => Number.parseInt(digit, RADIX));
const symbols = [...lengths.keys()].toSorted((a, b) => lengthOf(a) - lengthOf(b) || a - b);
/** By length: its first code, and the position of that code's symbol. */
const starts = findStarts();

function lengthOf(symbol: number): number {
  return lengths[symbol] ?? LONGEST;
}

function findStarts() {
  const found: { code: number; place: number; count: number }[] = [{ code: 0, place: 0, count: 0 }];
  for (let length = 1; length <= LONGEST; length += 1) {
    const before = found[length - 1] ?? { code: 0, place: 0, count: 0 };
    const count = lengths.filter((each) => each === length).length;
    found.push({ code: (before.code + before.count) << 1, place: before.place + before.count, count });
  }
  return found;
}

/** @returns a character for each byte; null if the code is invalid */
export function decodeHuffman(bytes: Uint8Array): string | null {
  let text = "";
  let [code, length] = [0, 0];
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = (code << 1) | ((byte >> bit) & 1);
      length += 1;
      const start = starts[length];
      if (!start) return null;
      const symbol = code - start.code < start.count ? symbols[start.place + code - start.code] : undefined;
      if (symbol === undefined) continue;
      if (symbol === END) return null;
      text += String.fromCharCode(symbol);
      [code, length] = [0, 0];
    }
  }
  // The rest of the last byte is padded with ones.
  return length < 8 && code === (1 << length) - 1 ? text : null;
}
