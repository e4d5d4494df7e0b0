/**
 * An HTTP/2 answer that shows how much of it was taken. Node hands a whole buffer to the session and reports
 * only when its last byte is sent, so a slow reader of a large answer looks like a reader that takes nothing. Here it is sent in
 * steps of one frame, which also keeps the session's memory small (`maxSessionMemory` limits it).
 */
import { type Http2ServerRequest, Http2ServerResponse, type ServerHttp2Stream } from "node:http2";

/** The size of a DATA frame that every client accepts. */
const STEP_BYTES = 16 * 1024;

/** Headers about an HTTP/1.1 connection. HTTP/2 forbids them (RFC 9113, 8.2.2) and Node warns of each. */
const CONNECTION_HEADERS = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

type Callback = (error?: Error | null) => void;

export class StepwiseResponse extends Http2ServerResponse<Http2ServerRequest> {
  #writtenBytes = 0;

  constructor(stream: ServerHttp2Stream) {
    super(stream);
    // Node would join waiting steps into one piece again.
    Object.assign(stream, { _writev: null });
  }

  /** Bytes of the body that have been sent to the client. */
  get sentBytes(): number {
    return this.#writtenBytes - (this.writableLength ?? 0);
  }

  override setHeader(name: string, value: number | string | readonly string[]): void {
    if (!CONNECTION_HEADERS.has(name.toLowerCase())) super.setHeader(name, value);
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const headers = rest.at(-1);
    if (typeof headers === "object" && headers !== null && !Array.isArray(headers))
      for (const name of Object.keys(headers))
        // Copied only when a header must be removed, which is rare.
        if (CONNECTION_HEADERS.has(name.toLowerCase())) return super.writeHead(status, allowed(headers));
    // The declared overloads do not cover forwarding all arguments.
    return super.writeHead(status, ...(rest as [Record<string, string>]));
  }

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    const callback = rest.find((each) => typeof each === "function") as Callback | undefined;
    const encoding = typeof rest[0] === "string" ? (rest[0] as BufferEncoding) : "utf8";
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : (chunk as Uint8Array);
    this.#writtenBytes += bytes.length;
    let at = 0;
    for (; at + STEP_BYTES < bytes.length; at += STEP_BYTES) super.write(bytes.subarray(at, at + STEP_BYTES));
    return super.write(at === 0 ? bytes : bytes.subarray(at), "utf8", callback as () => void);
  }
}

function allowed(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase())),
  );
}
