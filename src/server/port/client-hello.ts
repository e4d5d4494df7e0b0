/**
 * The name that a TLS client wants to reach, from the clear text of its first message (RFC 8446, 4.1.2; RFC 6066, 3). Nothing is
 * decrypted, and a malformed message has no name: the TLS server of this port judges the rest.
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
/** Limit of the whole message: browsers send 2 KB, including post-quantum keys. */
const MAX_HELLO_BYTES = 16 * 1024;
/** A client may split it into arbitrarily small records. */
const MAX_RECORDS = 64;

/**
 * @param bytes received so far, from the start of the connection
 * @returns undefined while the message is incomplete; null without a name, or for any other message
 */
export function readServerName(bytes: Buffer): string | null | undefined {
  const message = joinRecords(bytes);
  if (!message) return message;
  const extensions = skipToExtensions(message.subarray(MESSAGE_HEAD));
  return extensions && findName(extensions);
}

/** The message without its record headers. */
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

/** A list with one entry: no other kind of name was ever defined. */
function readName(extension: Buffer): string | null {
  const list = takeVector(extension, 0, 2)?.content;
  if (!list || list[0] !== HOST_NAME) return null;
  return takeVector(list, 1, 2)?.content.toString("latin1") ?? null;
}

/** Bytes that follow their length. @param lengthBytes size of the length @returns null if they are incomplete */
function takeVector(bytes: Buffer, at: number, lengthBytes: 1 | 2): { content: Buffer; end: number } | null {
  const from = at + lengthBytes;
  if (from > bytes.length) return null;
  const end = from + bytes.readUIntBE(at, lengthBytes);
  return end > bytes.length ? null : { content: bytes.subarray(from, end), end };
}
