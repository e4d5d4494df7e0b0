/**
 * The code that a person compares: RFC 8628, 6.1. Twenty consonants, so that it makes no words and no character is mistaken
 * for another: 20^8 codes, 34 bits.
 *
 *     WDJB-MJHT
 */
import { randomInt } from "node:crypto";

const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const FORM = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;
/** For typed text, dashes and spaces included. */
const MAX_TYPED = 40;

/** Without the dash. */
export function newUserCode(random: (end: number) => number = randomInt): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(random(ALPHABET.length))).join("");
}

export function formatUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** As people type it: in any case, with or without the dash. @returns null when it cannot be a code */
export function readUserCode(typed: string): string | null {
  if (typed.length > MAX_TYPED) return null;
  const code = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, "");
  return FORM.test(code) ? code : null;
}
