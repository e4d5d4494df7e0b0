/** For tests: gRPC as bytes on an HTTP/2 session, in ways that client libraries do not offer. */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from "node:http2";
import { createMessageSplitter } from "./split-messages.ts";

export interface RawAnswer {
  /** The HTTP status. */
  status: number;
  code: number | null;
  message: string;
  messages: Buffer[];
  /** How the stream was closed. */
  reset: number;
}

export interface RawClient {
  session: ClientHttp2Session;
  open: (path: string, headers?: Record<string, string>) => ClientHttp2Stream;
  close: () => void;
}

export interface RawClientOptions {
  /** Sent with every call. */
  headers?: Record<string, string>;
  /** Bytes of a stream that the server may send ahead. Default: HTTP/2's. */
  window?: number;
}

export function openRawClient(
  port: number,
  { headers: common = {}, window }: RawClientOptions = {},
): RawClient {
  const settings = window === undefined ? {} : { initialWindowSize: window };
  const session = connect(`http://127.0.0.1:${port}`, { settings });
  session.on("error", () => {});
  return {
    session,
    open(path, headers = {}) {
      const stream = session.request({
        ":method": "POST",
        ":path": path,
        "content-type": "application/grpc",
        te: "trailers",
        ...common,
        ...headers,
      });
      return stream.on("error", () => {});
    },
    close: () => session.destroy(),
  };
}

/** Resolves when the stream is closed. */
export function answerOf(stream: ClientHttp2Stream): Promise<RawAnswer> {
  const splitter = createMessageSplitter(64 * 1024 * 1024);
  const messages: Buffer[] = [];
  let fields: IncomingHttpHeaders = {};
  return new Promise((resolve) => {
    stream.on("response", (headers) => (fields = headers));
    stream.on("trailers", (trailers) => (fields = { ...fields, ...trailers }));
    stream.on("data", (chunk: Buffer) => {
      splitter.push(chunk);
      for (let message = splitter.next(); message; message = splitter.next()) messages.push(message);
    });
    stream.once("close", () => {
      const { ":status": status = 0, "grpc-status": code, "grpc-message": message = "" } = fields;
      resolve({
        status: Number(status),
        code: code === undefined ? null : Number(code),
        message: decodeURIComponent(String(message)),
        messages,
        reset: stream.rstCode ?? 0,
      });
    });
  });
}
