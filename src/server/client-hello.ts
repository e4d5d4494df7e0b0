/**
 * Whom a TLS client wants to reach, as its first message says it in clear text (RFC 8446, 4.1.2; RFC 6066, 3). Nothing is decrypted,
 * and what is not well formed has no name: whoever speaks TLS on this port judges the rest.
 *
 *   record: 0x16, version, length ─► handshake: 0x01, length ─► version, random, session, ciphers, compression ─► extensions
 */

const HANDSHAKE = 0x16;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
const RECORD_HEAD = 5;
const MESSAGE_HEAD = 4;
/** Version and random. */
const FIXED_BYTES = 34;
/** Of the whole message: browsers send 2 KB, with keys for the time after quantum computers. */
const MAX_HELLO_BYTES = 16 * 1024;
/** A client may cut it into records as small as it likes. */
const MAX_RECORDS = 64;

/**
 * @param bytes that have come so far, from a connection's first one
 * @returns undefined while more of the message is to come; null without a name, and for what is no such message
 */
export function readServerName(bytes: Buffer): string | null | undefined {
  const message = joinRecords(bytes);
  if (!message) return message;
  const extensions = skipToExtensions(message.subarray(MESSAGE_HEAD));
  return extensions && findName(extensions);
}

/** The message without the heads of its records. */
function joinRecords(bytes: Buffer): Buffer | null | undefined {
  const parts: Buffer[] = [];
  let [size, needed] = [0, MESSAGE_HEAD];
  for (let at = 0; size < needed;) {
    if (parts.length >= MAX_RECORDS) return null;
    if (bytes.length - at < RECORD_HEAD)
      return bytes.length > at && bytes[at] !== HANDSHAKE ? null : undefined;
    const length = bytes.readUInt16BE(at + 3);
    if (bytes[at] !== HANDSHAKE || bytes[at + 1] !== 3 || length === 0) return null;
    const part = bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length);
    parts.push(part);
    size += part.length;
    if (needed === MESSAGE_HEAD && size >= MESSAGE_HEAD) {
      const head = Buffer.concat(parts);
      needed += head.readUIntBE(1, 3);
      if (head[0] !== CLIENT_HELLO || needed > MAX_HELLO_BYTES) return null;
    }
    if (part.length < length && size < needed) return undefined;
    at += RECORD_HEAD + length;
  }
  return Buffer.concat(parts).subarray(0, needed);
}

function skipToExtensions(hello: Buffer): Buffer | null {
  const session = takeVector(hello, FIXED_BYTES, 1);
  const ciphers = session && takeVector(hello, session.end, 2);
  const compression = ciphers && takeVector(hello, ciphers.end, 1);
  return (compression && takeVector(hello, compression.end, 2)?.content) ?? null;
}

function findName(extensions: Buffer): string | null {
  for (let at = 0; at + 4 <= extensions.length;) {
    const extension = takeVector(extensions, at + 2, 2);
    if (!extension) return null;
    if (extensions.readUInt16BE(at) === SERVER_NAME) return readName(extension.content);
    at = extension.end;
  }
  return null;
}

/** A list of one: no other kind of name was ever made. */
function readName(extension: Buffer): string | null {
  const list = takeVector(extension, 0, 2)?.content;
  if (!list || list[0] !== HOST_NAME) return null;
  return takeVector(list, 1, 2)?.content.toString("latin1") ?? null;
}

/** Bytes behind their length. @param lengthBytes of that @returns null where they are not all there */
function takeVector(bytes: Buffer, at: number, lengthBytes: 1 | 2): { content: Buffer; end: number } | null {
  const from = at + lengthBytes;
  if (from > bytes.length) return null;
  const end = from + bytes.readUIntBE(at, lengthBytes);
  return end > bytes.length ? null : { content: bytes.subarray(from, end), end };
}
