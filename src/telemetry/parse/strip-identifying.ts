/**
 * Removes whatever could identify a person from the words that they typed, before anything stores them:
 *
 *     e-mail and network addresses, user names in addresses (https://user:pass@host, user@host, /home/name,
 *     C:\Users\name, anything after a host), tokens and keys, numbers of more than four digits       →  ***
 *
 * Where words and secrets look alike, the words are lost: they are only statistics, but the secret was a person's. Every
 * expression reads its text once.
 */

const HIDDEN = "***";
/** For typed text. A word split by the cut is left out, because half a secret does not look like a secret. */
const MAX_TEXT = 1000;
/** For counted words. */
const MAX_WORDS = 100;
const MAX_DIGITS = 4;

/** A search as it may be counted: nothing identifying, one spelling, short. Empty when nothing is left. */
export function countableWords(query: string): string {
  const stripped = stripIdentifying(query).replaceAll(/\s+/g, " ").trim().toLowerCase();
  if (!/[\p{L}\p{N}]/u.test(stripped)) return "";
  // Avoids half a character at the end.
  return stripped
    .slice(0, MAX_WORDS)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
}

/** @param limit characters that are read; the rest is left out */
export function stripIdentifying(text: string, limit = MAX_TEXT): string {
  const plain = decodeSeparators(cutAtWord(text, limit).normalize("NFKC").replaceAll(INVISIBLE, ""));
  const tokens = hideHomes(plain).replaceAll(/\S+/g, stripToken);
  return joinHidden(hideNumbers(tokens));
}

/** They can hide inside a number or an address. */
const INVISIBLE = /[\p{Cf}\p{Cn}\p{Co}]/gu;

function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.slice(0, limit).search(/\s\S*$/);
  return end === -1 ? "" : text.slice(0, end);
}

const SEPARATORS: { [code: string]: string } = { "40": "@", "2f": "/", "5c": "\\", "3a": ":", "20": " " };

/** `alice%40example.com` is also an address, even if it was encoded twice. */
function decodeSeparators(text: string): string {
  return text
    .replaceAll(/%25/g, "%")
    .replaceAll(/%(40|2f|5c|3a|20)/gi, (_, code: string) => SEPARATORS[code.toLowerCase()] ?? "");
}

/** A user's own folder; on Windows its name may have spaces, and then ends at the next backslash. */
function hideHomes(text: string): string {
  return text
    .replaceAll(/([\\/](?:users|home)\\{1,4})[^\\/:*?"<>|]{1,60}(?=\\)/gi, `$1${HIDDEN}`)
    .replaceAll(/((?<![^\s\\/:="'(])(?:users|home)[\\/]{1,4})[^\s\\/"']+/gi, `$1${HIDDEN}`)
    .replaceAll(/(?<![^\s/="'(])~[a-z][\w.-]*/gi, HIDDEN);
}

/** A file of the site's build, in an error message; the site made its name, however mixed it looks. */
const OWN_FILE = /\/assets\/[a-z-]{1,40}-[\w-]{8}\.js$/;

/** @param token without white space */
function stripToken(token: string): string {
  const own = OWN_FILE.exec(token)?.[0] ?? "";
  const rest = own ? token.slice(0, -own.length) : token;
  if (isUserAtHost(rest)) return HIDDEN;
  const hidden = [hidePath, hideAssigned, hideNetworkAddresses, hideKeys];
  return hidden.reduce((text, hide) => hide(text), rest) + own;
}

const VERSION = /^v?\d{1,3}(?:\.\d{1,3}){0,2}$|^latest$/i;

/** An e-mail address, `user@host`, `https://user:pass@host`; not `node@24`, `actions/checkout@v4` and `@scope/name`. */
function isUserAtHost(token: string): boolean {
  const at = token.lastIndexOf("@");
  const before = token.slice(0, at);
  if (at < 1) return false;
  if (/^["'`([{<,;:]*$/.test(before)) return !token.includes("/", at);
  return !(VERSION.test(token.slice(at + 1)) && /^@?[\w./-]+$/.test(before));
}

/** A host, and not a file: `example.com`, `ghcr.io:8080`. */
const HOST = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d{1,5})?$/i;

/** After a host there are names: `https://github.com/alice/notes`, `github.com:alice/notes`, `ghcr.io/alice`. */
function hidePath(token: string): string {
  const scheme = token.indexOf("://");
  const start = scheme === -1 ? 0 : scheme + "://".length;
  const end = endOfHost(token, start);
  if (end >= token.length - 1) return token;
  if (scheme === -1 && !HOST.test(token.slice(0, end))) return token;
  return token.slice(0, end + 1) + HIDDEN;
}

/** A colon also ends it, unless a port follows. */
function endOfHost(token: string, start: number): number {
  const found = token.slice(start).search(/[/?#\\]|:(?!\d)/);
  return found === -1 ? token.length : start + found;
}

const ASSIGNED = /((?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key)["']?[=:]).+/i;

function hideAssigned(text: string): string {
  return text.replace(ASSIGNED, `$1${HIDDEN}`);
}

function hideNetworkAddresses(text: string): string {
  return text
    .replaceAll(/[0-9a-f:.]+/gi, (run: string, at: number) => {
      const isWord = /\w/.test(text.charAt(at - 1)) || /\w/.test(text.charAt(at + run.length));
      return !isWord && isVersion6(run) ? HIDDEN : run;
    })
    .replaceAll(/\d{1,3}(?:\.\d{1,3}){3}/g, HIDDEN);
}

/** Also a network card's address, and a time of day. */
function isVersion6(run: string): boolean {
  const groups = run.split(":");
  return (
    groups.length > 2 && /[0-9a-f]/i.test(run) && groups.every((group) => /^[0-9a-f.]{0,15}$/i.test(group))
  );
}

/** Prefixes that issuers use, before at least eight more characters. */
const ISSUED =
  /(?<![a-z0-9])(?:mr|gh[a-z]|github_pat|gl[a-z]{2,6}|sk|pk|rk|xox[a-z]|npm|pypi|hf|dckr_pat|dop_v\d|whsec|key)[_-]([\w-]{8,})/gi;
const SELF_NAMED = /(?<![A-Za-z0-9])(?:AKIA|ASIA|AROA|AIDA|AIza|eyJ|ya29\.|SG\.)[\w-]{8}/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i;

function hideKeys(token: string): string {
  return token.replaceAll(/[\w.~+/=-]+/g, (run) => (looksLikeKey(run) ? HIDDEN : run));
}

function looksLikeKey(run: string): boolean {
  if (SELF_NAMED.test(run) || UUID.test(run)) return true;
  for (const [, rest = ""] of run.matchAll(ISSUED))
    if (rest.length >= 16 || /\d/.test(rest) || (/[a-z]/.test(rest) && /[A-Z]/.test(rest))) return true;
  return run.split(/[.~=]+/).some(isMixed);
}

const LONG_WORD = 40;
const LONG_HEX = 16;
const LONG_KEY = 20;
/** Places where a letter and a digit meet. */
const MEETINGS = /(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/gi;

/** Base64, hexadecimal and the like: longer and more mixed than any name. */
function isMixed(part: string): boolean {
  if (part.length < LONG_HEX) return false;
  const segments = part.split(/[_/+-]+/);
  if (segments.some((segment) => segment.length > LONG_WORD)) return true;
  if (
    segments.some(
      (segment) => segment.length >= LONG_HEX && /^[0-9a-f]*$/i.test(segment) && /\d/.test(segment),
    )
  )
    return true;
  if (part.length < LONG_KEY) return false;
  if (/[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part)) return true;
  return [...part.matchAll(MEETINGS)].length >= 4;
}

/** Also numbers that are written in groups: of a telephone, of a card, a date. */
function hideNumbers(text: string): string {
  return text.replaceAll(/\p{Nd}(?:[ .,'’_()/+-]{0,2}\p{Nd})*/gu, (number) =>
    isLong(number) ? HIDDEN : number,
  );
}

/** `24.16.0` is a version: three numbers, none with five digits. */
function isLong(number: string): boolean {
  const parts = number.split(/[ -]/).filter((part) => !/^\d{1,3}(?:\.\d{1,2}){1,2}$/.test(part));
  return parts.join("").replaceAll(/\P{Nd}/gu, "").length > MAX_DIGITS;
}

function joinHidden(text: string): string {
  return text.replaceAll(/\*{3}(?:[^\p{L}\p{N}]*\*{3})+/gu, HIDDEN);
}
