/**
 * SHA-256 in plain JavaScript: browsers have `crypto.subtle` on https only, and for each of a hundred thousand short texts it is
 * slower than this.
 */

/** The first `count` primes; the constants derive from their roots (FIPS 180-4). */
function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number += 1)
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  return found;
}

const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUNDS = 64;
const ROUND_KEYS = Int32Array.from(primes(ROUNDS), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/**
 * Adds a block to the state.
 * @param words 64, of which the first 16 are the block; the others are written
 */
export function takeBlock(state: Int32Array, words: Int32Array): void {
  for (let at = 16; at < ROUNDS; at += 1) {
    const early = words[at - 15]!;
    const late = words[at - 2]!;
    words[at] =
      (words[at - 16]! +
        (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) +
        words[at - 7]! +
        (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10))) |
      0;
  }
  let [a, b, c, d] = [state[0]!, state[1]!, state[2]!, state[3]!];
  let [e, f, g, h] = [state[4]!, state[5]!, state[6]!, state[7]!];
  for (let at = 0; at < ROUNDS; at += 1) {
    const one =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND_KEYS[at]! + words[at]!) |
      0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] = state[0]! + a;
  state[1] = state[1]! + b;
  state[2] = state[2]! + c;
  state[3] = state[3]! + d;
  state[4] = state[4]! + e;
  state[5] = state[5]! + f;
  state[6] = state[6]! + g;
  state[7] = state[7]! + h;
}

export const startState = (): Int32Array => START.slice();

/** @returns the hash as eight words */
export function hashText(text: string): Int32Array {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const state = startState();
  const words = new Int32Array(ROUNDS);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = padded.getInt32(block + at * 4);
    takeBlock(state, words);
  }
  return state;
}
