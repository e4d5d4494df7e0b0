/** Codes of an app, RFC 6238: SHA-1, six digits, half a minute, like every app. */
import { createHmac } from "node:crypto";
import type { RandomBytes } from "../contract/ids.ts";

const STEP_MS = 30_000;
const DIGITS = 6;
/** 160 bits, as RFC 4226 advises. */
const SECRET_BYTES = 20;
/** Steps before and after the server's own, for clocks that differ and people who type slowly. */
const SLACK = 1;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE32_BITS = 5;

/** In Base32, as apps take it. */
export function newTotpSecret(randomBytes: RandomBytes): string {
  const bits = [...randomBytes(SECRET_BYTES)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replace(/.{5}/g, (five) => BASE32.charAt(parseInt(five, 2)));
}

/** The text of the QR code. */
export function totpAddress(secret: string, { host, person }: { host: string; person: string }): string {
  const label = `${encodeURIComponent(`Millrace ${host}`)}:${encodeURIComponent(person)}`;
  const query = new URLSearchParams({ secret, issuer: `Millrace ${host}` }).toString().replaceAll("+", "%20");
  return `otpauth://totp/${label}?${query}`;
}

export const stepAt = (time: number): number => Math.floor(time / STEP_MS);

/** @param step half minutes since 1970 */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE(mac[mac.length - 1]! & 0x0f) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** @returns the step of the code, the latest first; null: the code matches no current step */
export function findStep(secret: string, code: string, now: number): number | null {
  const own = stepAt(now);
  for (let step = own + SLACK; step >= own - SLACK; step -= 1)
    if (step >= 0 && totpCode(secret, step) === code) return step;
  return null;
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((digit) => BASE32.indexOf(digit).toString(2).padStart(BASE32_BITS, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => parseInt(byte, 2)));
}
