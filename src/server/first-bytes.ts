/** Which protocol a client speaks, told by the first bytes that it sends. */

export type FirstProtocol = "tls" | "http1" | "http2";

/** How every HTTP/2 connection in clear text begins (RFC 9113, 3.4). No method of HTTP/1.1 is called `PRI`. */
const HTTP2_PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** The type of a TLS record that carries a handshake, which is the first one of every connection (RFC 8446, 5.1). */
const TLS_HANDSHAKE = 0x16;

/** @returns null while the bytes can still become an HTTP/2 preface */
export function protocolOf(bytes: Buffer): FirstProtocol | null {
  if (bytes.length === 0) return null;
  if (bytes[0] === TLS_HANDSHAKE) return "tls";
  const length = Math.min(bytes.length, HTTP2_PREFACE.length);
  if (bytes.compare(HTTP2_PREFACE, 0, length, 0, length) !== 0) return "http1";
  return length === HTTP2_PREFACE.length ? "http2" : null;
}
