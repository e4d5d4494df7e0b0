/** Each escape of JSON: one of four digits, or one of a single letter, which may be a backslash. */
const ESCAPE = /\\(?:u([\da-f]{4})|[^u])/gi;
const ESCAPE_LENGTH = 6;

/** Whether JSON escapes half of a sign without the other half behind it, as `"\ud83d"`. @param json in any encoding that keeps ASCII */
export function hasHalfSign(json: string): boolean {
  /** Where the second half has to be. */
  let expectedAt: number | null = null;
  for (const { index, 1: digits } of json.matchAll(ESCAPE)) {
    const unit = digits === undefined ? 0 : Number.parseInt(digits, 16);
    const isSecond = unit >= 0xdc00 && unit <= 0xdfff;
    if (isSecond !== (expectedAt !== null) || (isSecond && index !== expectedAt)) return true;
    expectedAt = unit >= 0xd800 && unit <= 0xdbff ? index + ESCAPE_LENGTH : null;
  }
  return expectedAt !== null;
}
