import type { Token } from "./ast.ts";
import { expectedValue, filterError } from "./errors.ts";

const WORD = /[\p{L}\p{N}_\-/.]+/uy;
const WORD_CHARACTER = /[\p{L}\p{N}_\-/.]/uy;
const KEYWORDS = new Set(
  "AND OR NOT IN TO EXISTS IS NULL EMPTY CONTAINS STARTS WITH _geoRadius _geoBoundingBox".split(" "),
);

/** Reads values, keywords and symbols from one filter expression; every `take…` skips white space first. */
export class Scanner {
  readonly source: string;
  position = 0;
  /** Counted by the parser, for the limit. */
  conditions = 0;

  constructor(source: string) {
    this.source = source;
  }

  skipSpace(): void {
    while (/\s/.test(this.source.charAt(this.position))) this.position++;
  }

  isAtEnd(): boolean {
    this.skipSpace();
    return this.position >= this.source.length;
  }

  token(start: number, end: number, text = this.source.slice(start, end)): Token {
    return { text, start, end, source: this.source };
  }

  rest(): Token {
    this.skipSpace();
    return this.token(this.position, this.source.length);
  }

  take(symbol: string): boolean {
    this.skipSpace();
    if (!this.source.startsWith(symbol, this.position)) return false;
    this.position += symbol.length;
    return true;
  }

  /** The keyword as a whole word: `NOTE` is not `NOT` and `E`. */
  takeKeyword(keyword: string): boolean {
    this.skipSpace();
    const end = this.position + keyword.length;
    if (!this.source.startsWith(keyword, this.position)) return false;
    WORD_CHARACTER.lastIndex = end;
    if (WORD_CHARACTER.test(this.source)) return false;
    this.position = end;
    return true;
  }

  isAtValue(): boolean {
    this.skipSpace();
    const first = this.source.charAt(this.position);
    if (first === '"' || first === "'") return true;
    WORD_CHARACTER.lastIndex = this.position;
    return WORD_CHARACTER.test(this.source);
  }

  /** A word or a quoted text; the token's `text` has no quotes and no escapes. */
  value(): Token {
    this.skipSpace();
    const start = this.position;
    const quote = this.source.charAt(start);
    if (quote === '"' || quote === "'") return this.#quoted(quote, start);
    WORD.lastIndex = start;
    const word = WORD.exec(this.source)?.[0];
    if (word === undefined) throw expectedValue(this.rest(), false);
    const token = this.token(start, start + word.length);
    if (KEYWORDS.has(word)) throw expectedValue(token, true);
    this.position = token.end;
    return token;
  }

  #quoted(quote: string, start: number): Token {
    let text = "";
    for (let at = start + 1; at < this.source.length; at++) {
      const character = this.source.charAt(at);
      const next = this.source.charAt(at + 1);
      if (character === "\\" && (next === quote || next === "\\")) {
        text += next;
        at++;
      } else if (character === quote) {
        this.position = at + 1;
        return this.token(start, at + 1, text);
      } else {
        text += character;
      }
    }
    const open = this.token(start, this.source.length);
    throw filterError(
      `Expression \`${open.text}\` is missing the following closing delimiter: \`${quote}\`.`,
      open,
    );
  }
}
