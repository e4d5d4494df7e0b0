/**
 * Short texts made shorter, each readable on its own: a hit's title must not cost the decompression of a block.
 *
 *   0 … 253   a symbol of the table (symbol-table.ts)
 *   254 n …   n bytes that stand for 2n hexadecimal digits: keys are hashes as often as not
 *   255 b     the byte b, which no symbol begins with
 */
import { ByteList } from "./byte-list.ts";
import { learnSymbols, MAX_SYMBOLS, type SymbolTable } from "./symbol-table.ts";
import { decodeUtf8 } from "./utf8.ts";

const HEX = MAX_SYMBOLS;
const ESCAPE = MAX_SYMBOLS + 1;

/** Digits in a row from which on they are packed; fewer cost less as symbols. */
const LEAST_HEX_DIGITS = 12;

/** Bytes of text from which symbols are learned; more are slower and hardly better. */
const SAMPLE_BYTES = 100_000;
/** Bytes of one text that count, so that no single one decides. */
const SAMPLE_TEXT_BYTES = 200;

/** Learns from texts that are spread over all `count` of them. */
export function learnCodec(count: number, textAt: (number: number) => Uint8Array): TextEncoding {
  const sample: Uint8Array[] = [];
  // Steps of the golden ratio avoid any regular pattern of the texts, such as "every third is a hash".
  const step = Math.max(1, Math.round(count * 0.618));
  let bytes = 0;
  for (let taken = 0, number = 0; taken < count && bytes < SAMPLE_BYTES; taken++) {
    const text = textAt(number).slice(0, SAMPLE_TEXT_BYTES);
    if (hexRun(text, 0, text.length) < LEAST_HEX_DIGITS) {
      sample.push(text);
      bytes += text.length;
    }
    number = (number + step) % count;
  }
  return new TextEncoding(learnSymbols(sample));
}

export class TextEncoding {
  private readonly table: SymbolTable;

  constructor(table: SymbolTable) {
    this.table = table;
  }

  /** Length and bytes of each symbol, one after the other. */
  symbols(): Uint8Array {
    const list = new ByteList();
    for (const symbol of this.table.symbols) {
      list.push(symbol.length);
      list.append(symbol);
    }
    return list.view().slice();
  }

  encode(text: Uint8Array, out: ByteList): void {
    // The end of a run of digits that is too short to be packed.
    let read = 0;
    for (let at = 0; at < text.length;) {
      if (at >= read && isHexDigit(text[at]!)) {
        const digits = hexRun(text, at, text.length);
        read = at + digits;
        if (digits >= LEAST_HEX_DIGITS) {
          at += packHex(text, at, digits, out);
          continue;
        }
      }
      const code = this.table.match(text, at, text.length);
      if (code < 0) {
        out.push(ESCAPE);
        out.push(text[at++]!);
      } else {
        out.push(code);
        at += this.table.symbols[code]!.length;
      }
    }
  }
}

/** Packs an even number of digits, at most 510; returns how many. */
function packHex(text: Uint8Array, from: number, digits: number, out: ByteList): number {
  const count = Math.min(digits >>> 1, 255);
  out.push(HEX);
  out.push(count);
  for (let at = from; at < from + 2 * count; at += 2) {
    out.push((hexValue(text[at]!) << 4) | hexValue(text[at + 1]!));
  }
  return 2 * count;
}

function hexRun(text: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isHexDigit(text[at]!)) at++;
  return at - from;
}

/** `0` to `9` and `a` to `f`; capitals would not come back. */
function isHexDigit(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 102);
}

function hexValue(digit: number): number {
  return digit <= 57 ? digit - 48 : digit - 87;
}

export class TextDecoding {
  private readonly symbols: Uint8Array[] = [];
  /** The symbols as text; null where one is not plain ASCII and may be half a character. */
  private readonly texts: (string | null)[] = [];
  private readonly scratch = new ByteList();

  /** `symbols` as `TextEncoding.symbols` gave them. */
  constructor(symbols: Uint8Array) {
    for (let at = 0; at < symbols.length; at += symbols[at]! + 1) {
      const symbol = symbols.subarray(at + 1, at + 1 + symbols[at]!);
      this.symbols.push(symbol);
      this.texts.push(symbol.every((byte) => byte < 128) ? String.fromCharCode(...symbol) : null);
    }
  }

  /** The text that `encoded[from, to)` encodes. */
  decode(encoded: Uint8Array, from: number, to: number): string {
    const text = to - from <= MOST_PIECES ? this.joinPieces(encoded, from, to) : null;
    return text ?? this.decodeBytes(encoded, from, to);
  }

  /** Most texts are short and plain: then putting strings together is faster than bytes. null where it is not. */
  private joinPieces(encoded: Uint8Array, from: number, to: number): string | null {
    let text = "";
    for (let at = from; at < to; at++) {
      const code = encoded[at]!;
      if (code < HEX) {
        const piece = this.texts[code]!;
        if (piece === null) return null;
        text += piece;
      } else {
        if (code === HEX || encoded[++at]! > 127) return null;
        text += String.fromCharCode(encoded[at]!);
      }
    }
    return text;
  }

  private decodeBytes(encoded: Uint8Array, from: number, to: number): string {
    const { scratch } = this;
    scratch.length = 0;
    for (let at = from; at < to; at++) {
      const code = encoded[at]!;
      if (code === ESCAPE) scratch.push(encoded[++at]!);
      else if (code === HEX) {
        for (let left = encoded[++at]!; left > 0; left--) {
          const byte = encoded[++at]!;
          scratch.push(HEX_DIGITS.charCodeAt(byte >>> 4));
          scratch.push(HEX_DIGITS.charCodeAt(byte & 15));
        }
      } else scratch.append(this.symbols[code]!);
    }
    return decodeUtf8(scratch.view(), 0, scratch.length);
  }
}

/** Most codes of a text that is joined from strings; beyond that, joining takes more memory than it saves time. */
const MOST_PIECES = 200;

const HEX_DIGITS = "0123456789abcdef";
