/** The texts that a log is searched for, so that a secret is not in it: its value, parts of it, and their encodings by programs. */
import { MIN_LENGTH } from "./patterns.ts";

/** Limits of a value, in characters and lines, up to which its encodings are searched for. For larger values, only lines are. */
export const MAX_ENCODED_LENGTH = 16 * 1024;
const MAX_ENCODED_LINES = 100;
/** Line widths of `base64` and `openssl base64`. */
const WIDTHS = [76, 64];

/** `_authToken=…`, `password …`, `"private_key": "…"`, `<password>…`; bounded lengths, so that the search is bounded. */
const NAMED =
  /(?:secret|token|passw|passphrase|credential|api_?key|private_?key|access_?key|auth(?!or))[\w.-]{0,40}["']?\s{0,8}[=:>\s]\s{0,8}["']?(?!https?:)([^\s"'<>]{6,4096})/gi;
/** `https://ada:password@…`, `https://token@…` */
const IN_ADDRESS = /:\/\/(?:[^\s/:@]{0,200}:([^\s/@]{6,200})|([^\s/:@]{16,200}))@/g;

/** @param value as the client sent it */
export function formsOf(value: Uint8Array): ReadonlySet<string> {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  // As lines of a log are read: without NUL and without a byte order mark.
  const text = bytes
    .toString()
    .replaceAll("\0", "")
    .replace(/^\uFEFF/, "")
    .trim();
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const parts = new Set([...lines, ...credentialsIn(text)]);
  const isEncoded = bytes.length <= MAX_ENCODED_LENGTH;
  const forms = new Set(parts);
  if (isEncoded) {
    // A shell joins several lines into one.
    forms.add(text.replaceAll(/\s+/g, " "));
    const encoded = parts.size > MAX_ENCODED_LINES ? [] : [...parts];
    for (const part of new Set([text, ...encoded])) addWritten(forms, part);
    addBytes(forms, bytes);
    for (const part of encoded) addBytes(forms, Buffer.from(part));
  }
  return new Set([...forms].filter((form) => form.length >= MIN_LENGTH));
}

function credentialsIn(text: string): string[] {
  const all = [...text.matchAll(NAMED), ...text.matchAll(IN_ADDRESS)];
  return all.flatMap(([, ...found]) => found.filter((each) => each !== undefined));
}

/** As JSON, URLs and shells encode a text. */
function addWritten(forms: Set<string>, text: string): void {
  const json = JSON.stringify(text).slice(1, -1);
  const address = encodeURIComponent(text.toWellFormed());
  const strict = address.replaceAll(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const withSlash = strict.replaceAll("%2F", "/");
  const all = [
    json,
    // As Go and PHP encode JSON.
    json.replaceAll(/[<>&]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`),
    json.replaceAll("/", String.raw`\/`),
    ...[address, strict, withSlash].flatMap((each) => [each, each.replaceAll("%20", "+")]),
    ...[`'\\''`, `'"'"'`].map((quote) => text.replaceAll("'", quote)),
  ];
  for (const form of all) {
    forms.add(form);
    forms.add(form.replaceAll(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()));
  }
}

function addBytes(forms: Set<string>, bytes: Buffer): void {
  const hex = bytes.toString("hex");
  forms.add(hex).add(hex.toUpperCase());
  // Preceding bytes, such as `user:`, shift its base64; following bytes only change the last characters.
  for (const before of [0, 1, 2]) {
    const [first, end] = [Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)];
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const sure = text.slice(0, end);
    const lasts =
      before > 0 ? [] : [text, sure].flatMap((each) => WIDTHS.map((width) => lastLine(each, width)));
    for (const form of [sure.slice(first), ...lasts])
      forms.add(form).add(form.replaceAll("+", "-").replaceAll("/", "_"));
  }
}

/** May be too short to contain a piece of the whole. */
const lastLine = (text: string, width: number) => text.slice(Math.floor((text.length - 1) / width) * width);
