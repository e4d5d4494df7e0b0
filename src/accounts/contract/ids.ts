/** Ids, and other random texts. */
import { MAX_REFERENCE_LENGTH } from "./limits.ts";

export type IdPrefix = "org" | "usr" | "prj" | "tok" | "sgn" | "inv" | "pky" | "bld";
export type RandomBytes = (count: number) => Uint8Array;

const ID_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 10;
const KEY_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Digits of base 36 that milliseconds need until the year 5188. */
const TIME_DIGITS = 9;
const LAST_TIME = 36 ** TIME_DIGITS - 1;

/** `prj_7q4hx2n9ds` */
export function newId(prefix: IdPrefix, randomBytes: RandomBytes): string {
  return `${prefix}_${randomText(ID_ALPHABET, ID_LENGTH, randomBytes)}`;
}

/** An id that sorts by time. */
export function newTimedId(time: number, randomBytes: RandomBytes): string {
  return timedIdAt(time) + randomText(ID_ALPHABET, ID_LENGTH, randomBytes);
}

/** Sorts after every earlier id, and before every id of that time. */
export function timedIdAt(time: number): string {
  return Math.min(Math.max(0, time), LAST_TIME).toString(36).padStart(TIME_DIGITS, "0");
}

/** Characters of `0-9A-Za-z`, 5.95 random bits each. */
export function randomKey(length: number, randomBytes: RandomBytes): string {
  return randomText(KEY_ALPHABET, length, randomBytes);
}

/** A reference to an object from a request, cut for messages. */
export function quoteReference(reference: string): string {
  const cut =
    reference.length > MAX_REFERENCE_LENGTH ? `${reference.slice(0, MAX_REFERENCE_LENGTH)}…` : reference;
  return cut.replaceAll(/[^\x20-\x7E…]/g, "?");
}

/** Each character is equally likely: bytes beyond the last whole multiple of the alphabet are discarded. */
function randomText(alphabet: string, length: number, randomBytes: RandomBytes): string {
  const end = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length)
    for (const byte of randomBytes(length - text.length))
      if (byte < end) text += alphabet.charAt(byte % alphabet.length);
  return text;
}
