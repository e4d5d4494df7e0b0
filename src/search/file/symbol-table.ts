/**
 * The byte sequences that are worth a code of their own in the texts of an index: up to 254 "symbols" of 1 to 24 bytes.
 *
 *   texts    https://docs.example.com/cache#limits   https://docs.example.com/builds   The cache is kept …
 *   symbols  "https://docs.example.com/"  "cache"  " the "  "ing "  "e"  …
 *
 * Learned from a sample as in FSST (Boncz, Neumann, Leis: "FSST: Fast Random Access String Compression", VLDB 2020):
 * encode the sample with the current symbols, count every symbol and every pair of neighbours, keep the ones that cover
 * the most bytes, and repeat. Symbols can double their length in each round.
 */

import { selectHighest } from "../contract/select.ts";

export const MAX_SYMBOLS = 254;
const MAX_SYMBOL_BYTES = 24;

/** Enough for any two neighbours of single bytes, then of 2, 4, 8 and 16, to grow together; more change nothing. */
const ROUNDS = 6;

/** A symbol that stands for one byte saves the escape before it, which a count of covered bytes does not see. */
const SINGLE_BYTE_BOOST = 8;

export class SymbolTable {
  readonly symbols: readonly Uint8Array[];
  /** Code of the symbol that is this byte; -1 if none is. */
  private readonly single = new Int16Array(256).fill(-1);
  /** Longer symbols, sorted by their first two bytes, of those the longest first. */
  private readonly longer: number[];
  /** First two bytes → the first of them in `longer`; where there are none, it equals the next one's. */
  private readonly groups = new Uint8Array(0x10000 + 1);

  constructor(symbols: readonly Uint8Array[]) {
    this.symbols = symbols;
    symbols.forEach((symbol, code) => {
      if (symbol.length === 1) this.single[symbol[0]!] = code;
    });
    const group = (code: number) => firstTwo(symbols[code]!, 0);
    this.longer = [...symbols.keys()].filter((code) => symbols[code]!.length > 1);
    this.longer.sort((a, b) => group(a) - group(b) || symbols[b]!.length - symbols[a]!.length);
    let at = 0;
    for (let key = 0; key <= 0x10000; key++) {
      while (at < this.longer.length && group(this.longer[at]!) < key) at++;
      this.groups[key] = at;
    }
  }

  /** The code of the longest symbol at `at`; -1 if none begins with that byte. */
  match(bytes: Uint8Array, at: number, end: number): number {
    if (at + 1 < end) {
      const key = firstTwo(bytes, at);
      const last = this.groups[key + 1]!;
      for (let next = this.groups[key]!; next < last; next++) {
        const code = this.longer[next]!;
        if (isAt(this.symbols[code]!, bytes, at, end)) return code;
      }
    }
    return this.single[bytes[at]!]!;
  }
}

function firstTwo(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

function isAt(symbol: Uint8Array, bytes: Uint8Array, at: number, end: number): boolean {
  if (at + symbol.length > end) return false;
  for (let next = 2; next < symbol.length; next++) if (bytes[at + next] !== symbol[next]) return false;
  return true;
}

/** The symbols for texts like these. */
export function learnSymbols(sample: readonly Uint8Array[]): SymbolTable {
  let table = new SymbolTable([]);
  for (let round = 1; round <= ROUNDS; round++) {
    // The first rounds find short beginnings, for which a part of the sample is enough.
    const part = sample.slice(0, Math.ceil((sample.length * round) / ROUNDS));
    table = new SymbolTable(bestSymbols(table, part));
  }
  return table;
}

interface Candidate {
  symbol: Uint8Array;
  gain: number;
}

function bestSymbols(table: SymbolTable, sample: readonly Uint8Array[]): Uint8Array[] {
  const { singles, pairs } = countSymbols(table, sample);
  const candidates = new Map<string, Candidate>();
  const add = (symbol: Uint8Array, count: number) => {
    const gain = count * (symbol.length === 1 ? SINGLE_BYTE_BOOST : symbol.length);
    // The same bytes may be one symbol or two neighbours: both counts show how often they occur there.
    const key = String.fromCharCode(...symbol);
    const known = candidates.get(key);
    if (known) known.gain += gain;
    else candidates.set(key, { symbol, gain });
  };
  const symbolOf = (piece: number) => (piece < 256 ? Uint8Array.of(piece) : table.symbols[piece - 256]!);
  singles.forEach((count, piece) => {
    if (count > 0) add(symbolOf(piece), count);
  });
  const lengthOf = (piece: number) => (piece < 256 ? 1 : table.symbols[piece - 256]!.length);
  const joined = [...pairs].filter(([pair, count]) => {
    return count > 1 && lengthOf(pair >>> 9) + lengthOf(pair & 511) <= MAX_SYMBOL_BYTES;
  });
  // Most pairs are rare: putting them together only to drop them would be most of the work.
  const gains = Float32Array.from(
    joined,
    ([pair, count]) => count * (lengthOf(pair >>> 9) + lengthOf(pair & 511)),
  );
  for (const at of selectHighest(gains, joined.length, 3 * MAX_SYMBOLS)) {
    const [pair, count] = joined[at]!;
    const [left, right] = [symbolOf(pair >>> 9), symbolOf(pair & 511)];
    const symbol = new Uint8Array(left.length + right.length);
    symbol.set(left);
    symbol.set(right, left.length);
    add(symbol, count);
  }
  const best = [...candidates.values()].sort((a, b) => b.gain - a.gain);
  return best.slice(0, MAX_SYMBOLS).map(({ symbol }) => symbol);
}

/** How often each piece and each two neighbouring pieces occur in the encoded sample. A piece is a byte or 256 + code. */
function countSymbols(table: SymbolTable, sample: readonly Uint8Array[]) {
  const singles = new Uint32Array(256 + MAX_SYMBOLS);
  const pairs = new Map<number, number>();
  for (const bytes of sample) {
    let before = -1;
    for (let at = 0; at < bytes.length;) {
      const code = table.match(bytes, at, bytes.length);
      const piece = code < 0 ? bytes[at]! : 256 + code;
      at += code < 0 ? 1 : table.symbols[code]!.length;
      singles[piece]!++;
      if (before >= 0) pairs.set((before << 9) | piece, (pairs.get((before << 9) | piece) ?? 0) + 1);
      before = piece;
    }
  }
  return { singles, pairs };
}
