/** Detects the protocol from a client's first bytes. */

export type FirstProtocol = "tls" | "http1" | "http2";

/** How every clear-text HTTP/2 connection begins (RFC 9113, 3.4). HTTP/1.1 has no method called `PRI`. */
const HTTP2_PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** The type of a TLS record with a handshake, the first record of every connection (RFC 8446, 5.1). */
const TLS_HANDSHAKE = 0x16;

/** @returns null while the bytes can still become an HTTP/2 preface */
export function protocolOf(bytes: Buffer): FirstProtocol | null {
  if (bytes.length === 0) return null;
  if (bytes[0] === TLS_HANDSHAKE) return "tls";
  const length = Math.min(bytes.length, HTTP2_PREFACE.length);
  if (bytes.compare(HTTP2_PREFACE, 0, length, 0, length) !== 0) return "http1";
  return length === HTTP2_PREFACE.length ? "http2" : null;
}
