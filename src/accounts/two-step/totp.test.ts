/**
 * 1. Codes are those of RFC 6238, appendix B, by their last six digits.
 * 2. A code counts in its own half minute, the one before and the one after.
 * 3. The address of the QR code has the secret, and names server and person, also with characters that addresses do not
 *    allow.
 */
import { expect, test } from "vitest";
import { findStep, newTotpSecret, stepAt, totpAddress, totpCode } from "./totp.ts";

/** "12345678901234567890" */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
])("1. after %i seconds", (seconds, code) => {
  expect(totpCode(SECRET, stepAt(seconds * 1000))).toBe(code);
});

test("2. which half minutes count", () => {
  const now = 1234567890_000;
  const found = [-2, -1, 0, 1, 2].map((ahead) =>
    findStep(SECRET, totpCode(SECRET, stepAt(now) + ahead), now),
  );
  expect(found).toEqual([null, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, null]);
});

test("3. the QR code's address", () => {
  const secret = newTotpSecret((count) => new Uint8Array(count).fill(255));
  expect(secret).toBe("7".repeat(32));
  const address = new URL(totpAddress(secret, { host: "build.acme.example", person: "Ada & Co: ä" }));
  expect(decodeURIComponent(address.pathname)).toBe("/Millrace build.acme.example:Ada & Co: ä");
  expect(Object.fromEntries(address.searchParams)).toEqual({ secret, issuer: "Millrace build.acme.example" });
});
