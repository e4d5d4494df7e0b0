/**
 * Reads Go's requests: one JSON object per line, and after a `put` with a body, that body as one base64 string.
 *
 *   {"ID":3,"Command":"get","ActionID":"EVTJITOa…="}
 *
 *   {"ID":4,"Command":"put","ActionID":"EVTJITOa…=","OutputID":"koZjBg2r…=","BodySize":5}
 *
 *   "aGVsbG8="
 *
 * Bodies are decoded as they arrive, so that a binary of 500 MB takes no more memory than a file of ten lines.
 * Source: cmd/go/internal/cacheprog of Go 1.24 and later.
 */
import { CliError } from "../errors.ts";
import { cleanText } from "../text.ts";
import { MAX_BODY_BYTES, MAX_LINE_BYTES } from "./limits.ts";

export interface GoRequest {
  id: number;
  command: string;
  /** Hexadecimal; "" if absent. */
  action: string;
  output: string;
}

/** Takes the bytes of one `put`. */
export interface BodySink {
  write: (bytes: Uint8Array) => void;
}

export interface Received<Sink> {
  request: GoRequest;
  /** The sink of a `put`, with all its bytes. */
  sink: Sink | undefined;
}

const [LINE_FEED, QUOTE] = [10, 34];

/**
 * @param openSink called at the start of each `put`
 * @throws CliError if the input is not from Go
 */
export async function* readRequests<Sink extends BodySink>(
  input: AsyncIterable<Buffer>,
  openSink: (request: GoRequest) => Sink,
): AsyncGenerator<Received<Sink>> {
  let line: Buffer[] = [];
  let lineBytes = 0;
  let put: { request: GoRequest; sink: Sink; body: BodyReader } | undefined;
  for await (const chunk of input) {
    for (let at = 0; at < chunk.length;) {
      if (put) {
        at = put.body.take(chunk, at, put.sink);
        if (!put.body.isDone()) continue;
        yield { request: put.request, sink: put.sink };
        put = undefined;
        continue;
      }
      const end = chunk.indexOf(LINE_FEED, at);
      const piece = chunk.subarray(at, end === -1 ? chunk.length : end);
      at += piece.length + 1;
      line.push(piece);
      lineBytes += piece.length;
      if (lineBytes > MAX_LINE_BYTES)
        throw new CliError(`a request from Go has more than ${MAX_LINE_BYTES} bytes`);
      if (end === -1) continue;
      const text = Buffer.concat(line).toString("utf8").trim();
      [line, lineBytes] = [[], 0];
      if (text === "") continue;
      const { size, ...request } = parseRequest(text);
      const sink = request.command === "put" ? openSink(request) : undefined;
      if (sink && size > 0) put = { request, sink, body: createBodyReader(size) };
      else yield { request, sink };
    }
  }
}

function parseRequest(text: string): GoRequest & { size: number } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw noRequest(text);
  }
  const fields: { [name: string]: unknown } = typeof value === "object" && value !== null ? { ...value } : {};
  // Go 1.23 with an experiment called the output an object.
  const { ID: id, Command: command, ActionID, OutputID, ObjectID, BodySize: size = 0 } = fields;
  const isRequest = Number.isSafeInteger(id) && typeof command === "string";
  if (!isRequest || typeof size !== "number" || !(size >= 0 && size <= MAX_BODY_BYTES)) throw noRequest(text);
  return { id: Number(id), command, action: toHex(ActionID), output: toHex(OutputID ?? ObjectID), size };
}

const noRequest = (text: string): CliError =>
  new CliError(`this is not a request from Go: ${cleanText(text).slice(0, 80)}`);

const toHex = (base64: unknown): string =>
  typeof base64 === "string" ? Buffer.from(base64, "base64").toString("hex") : "";

interface BodyReader {
  /** @returns the index after the consumed bytes */
  take: (chunk: Buffer, at: number, sink: BodySink) => number;
  isDone: () => boolean;
}

function createBodyReader(size: number): BodyReader {
  let state: "before" | "inside" | "done" = "before";
  /** Fewer than four base64 characters, kept for the next chunk. */
  let rest = "";
  let left = size;
  return {
    isDone: () => state === "done",
    take(chunk, start, sink) {
      let at = start;
      if (state === "before") {
        const quote = chunk.indexOf(QUOTE, at);
        if (chunk.toString("latin1", at, quote === -1 ? chunk.length : quote).trim() !== "")
          throw new CliError("a body from Go does not start with a quotation mark");
        if (quote === -1) return chunk.length;
        state = "inside";
        at = quote + 1;
      }
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote === -1 ? chunk.length : quote;
      const text = rest + chunk.toString("latin1", at, end);
      const whole = text.length - (text.length % 4);
      rest = text.slice(whole);
      const bytes = Buffer.from(text.slice(0, whole), "base64");
      left -= bytes.length;
      if (bytes.length > 0) sink.write(bytes);
      if (quote === -1) return end;
      if (left !== 0 || rest !== "")
        throw new CliError("a body from Go does not have the size that Go announced");
      state = "done";
      return quote + 1;
    },
  };
}
