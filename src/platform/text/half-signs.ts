/** Any JSON escape: four digits, or a single character, which may be a backslash. */
const ESCAPE = /\\(?:u([\da-f]{4})|[^u])/gi;
const ESCAPE_LENGTH = 6;

/** Whether JSON has a lone surrogate escape, such as `"\ud83d"`. @param json in any encoding that keeps ASCII */
export function hasHalfSign(json: string): boolean {
  /** The required position of the second half. */
  let expectedAt: number | null = null;
  for (const { index, 1: digits } of json.matchAll(ESCAPE)) {
    const unit = digits === undefined ? 0 : Number.parseInt(digits, 16);
    const isSecond = unit >= 0xdc00 && unit <= 0xdfff;
    if (isSecond !== (expectedAt !== null) || (isSecond && index !== expectedAt)) return true;
    expectedAt = unit >= 0xd800 && unit <= 0xdbff ? index + ESCAPE_LENGTH : null;
  }
  return expectedAt !== null;
}
