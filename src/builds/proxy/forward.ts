/**
 * Forwards one call from the client's stream to a stream of the builder and back. Each side is read only as fast as the other
 * accepts data.
 *
 *   client ══ stream ══► what was read, then the rest ══► upstream ══► buildkitd
 *          ◄═ head, messages, trailers, or a reset with its code ═══
 */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type ServerHttp2Stream,
} from "node:http2";
import { Code } from "@connectrpc/connect";
import { encodeGrpcMessage, GrpcError } from "#platform/grpc/grpc-error.ts";
import { createMessageSplitter } from "#platform/grpc/split-messages.ts";
import type { Passage } from "./calls.ts";
import { MAX_HISTORY_BYTES } from "./limits.ts";
import { passBytes } from "./pass-bytes.ts";

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_FLAG_END_STREAM } = constants;
/** Only for the connection between client and proxy. */
const OWN_HEADERS = new Set(["connection", "host", "keep-alive", "transfer-encoding", "upgrade"]);

export interface Forwarded {
  stream: ServerHttp2Stream;
  /** Unchanged: a repeated header is forwarded repeatedly. */
  rawHeaders: readonly string[];
  path: string;
  /** The organization that the bytes are charged to. */
  organizationId: string;
  /** The whole request with the head of its message, if it was read; otherwise it is still to come. */
  body: Buffer | null;
  passage: Passage;
  /** Called when too much is received. */
  refuse: (error: GrpcError) => void;
}

/** Ends a call from here: with an error, even when its answer has begun. */
export type EndCall = (error: GrpcError) => void;

export function forward(upstream: ClientHttp2Session, call: Forwarded): EndCall {
  const { stream, body, passage } = call;
  const asked = upstream.request(upstreamHeaders(call), { endStream: false });
  stream.once("close", () => {
    if (!asked.closed) asked.close(stream.rstCode || NGHTTP2_CANCEL);
  });
  if (body) asked.end(body);
  else sendRest(call, asked);
  passage.onSent?.();
  if (passage.onAnswer) watchAnswer(asked, passage.onAnswer);
  const { watch } = passage;
  if (watch) {
    asked.on("data", (chunk: Buffer) => watch.fromBuilder(chunk));
    stream.once("close", watch.end);
  }
  return answer(call, asked, () => upstream.destroyed || upstream.closed);
}

function upstreamHeaders({ rawHeaders, path }: Forwarded): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {
    ":method": "POST",
    ":path": path,
    ":scheme": "http",
    ":authority": "builder",
  };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = [rawHeaders[at], rawHeaders[at + 1]];
    if (name.startsWith(":") || OWN_HEADERS.has(name)) continue;
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else headers[name] = [...(Array.isArray(before) ? before : [before]), value];
  }
  return headers;
}

function sendRest({ stream, organizationId, passage, refuse }: Forwarded, asked: ClientHttp2Stream): void {
  const { maxBytes = Infinity, onReceived, watch } = passage;
  let received = 0;
  stream.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes) {
      refuse(new GrpcError(Code.ResourceExhausted, `a request can have at most ${maxBytes} bytes`));
      return;
    }
    try {
      // Before the builder gets it, so that secrets are masked before a step can print them.
      watch?.fromClient(chunk);
      onReceived?.(chunk.length);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : "the client has sent too much";
      passage.onRefused?.(message);
      refuse(new GrpcError(Code.ResourceExhausted, message, { cause }));
    }
  });
  passBytes(stream, asked, organizationId);
}

function answer(
  { stream, organizationId }: Forwarded,
  asked: ClientHttp2Stream,
  hasEnded: () => boolean,
): EndCall {
  let stop = () => {};
  let trailers: Record<string, string | string[] | undefined> | null = null;
  let [isWanted, isAnswered] = [false, false];
  const sendTrailers = () => {
    if (!trailers || !isWanted || stream.destroyed) return;
    isAnswered = true;
    stream.sendTrailers(trailers);
    endRequest(stream);
  };
  asked.once("response", (headers, flags) => {
    if (stream.destroyed || stream.headersSent) return;
    if ((flags & NGHTTP2_FLAG_END_STREAM) !== 0) {
      isAnswered = true;
      stream.respond({ ...headers }, { endStream: true });
      endRequest(stream);
      return;
    }
    stream.respond({ ...headers }, { waitForTrailers: true });
    stop = passBytes(asked, stream, organizationId);
  });
  asked.once("trailers", (headers) => {
    trailers ??= { ...headers };
    sendTrailers();
  });
  stream.once("wantTrailers", () => {
    isWanted = true;
    sendTrailers();
  });
  asked.once("error", () => undefined);
  asked.once("close", () => {
    if (isAnswered || trailers || stream.destroyed) return;
    // Without trailers the answer was cut off, and the client must see that.
    if (hasEnded() || (!stream.headersSent && asked.rstCode === NGHTTP2_NO_ERROR))
      end(new GrpcError(Code.Unavailable, "the builder has ended: run the build again"));
    else stream.close(asked.rstCode || NGHTTP2_INTERNAL_ERROR);
  });
  const end: EndCall = (error) => {
    if (!stream.headersSent) answerError(stream, error);
    else if (!trailers) {
      trailers = errorTrailers(error);
      stop();
      stream.end();
    }
    if (!asked.closed) asked.close(NGHTTP2_CANCEL);
  };
  return end;
}

const errorTrailers = ({ code, message }: GrpcError) => ({
  "grpc-status": String(code),
  "grpc-message": encodeGrpcMessage(message),
});

/** An answer may come before the end of its request; the rest of the request is then unwanted. */
function endRequest(stream: ServerHttp2Stream): void {
  stream.once("finish", () => {
    if (!stream.readableEnded && !stream.closed) stream.close(NGHTTP2_NO_ERROR);
  });
}

function watchAnswer(asked: ClientHttp2Stream, onAnswer: (message: Uint8Array) => void): void {
  const splitter = createMessageSplitter(MAX_HISTORY_BYTES);
  const read = (chunk: Buffer) => {
    try {
      splitter.push(chunk);
      for (let message = splitter.next(); message; message = splitter.next()) onAnswer(message);
    } catch {
      // Larger than any record, or another version: the client sees it, but cannot read what it names.
      asked.off("data", read);
    }
  };
  asked.on("data", read);
}

/** For a call without any answer so far. */
export function answerError(stream: ServerHttp2Stream, error: GrpcError): void {
  if (stream.destroyed || stream.headersSent) return;
  endRequest(stream);
  stream.respond(
    {
      ":status": 200,
      "content-type": "application/grpc",
      ...errorTrailers(error),
    },
    { endStream: true },
  );
  stream.resume();
}

/** An answer without a message, such as a list without entries. */
export function answerEmpty(stream: ServerHttp2Stream): void {
  if (stream.destroyed || stream.headersSent) return;
  endRequest(stream);
  stream.respond(
    { ":status": 200, "content-type": "application/grpc", "grpc-status": "0" },
    { endStream: true },
  );
}
