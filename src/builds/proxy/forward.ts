/**
 * One call, from the client's stream to one of the builder and back. Each side is read only as fast as the other takes it.
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
/** Between client and proxy alone. */
const OWN_HEADERS = new Set(["connection", "host", "keep-alive", "transfer-encoding", "upgrade"]);

export interface Forwarded {
  stream: ServerHttp2Stream;
  /** As they came: a header that came twice goes on twice. */
  rawHeaders: readonly string[];
  path: string;
  /** Whose bytes they are. */
  organizationId: string;
  /** The whole request with the head of its message, where it was read; otherwise it is still to come. */
  body: Buffer | null;
  passage: Passage;
  /** What is received is too much. */
  refuse: (error: GrpcError) => void;
}

/** Ends a call from here: with an error where its answer has begun, too. */
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
      // Before the builder has it: a step prints only what is masked already.
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
    // Without trailers the answer was cut, and the client has to see that.
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

/** An answer may come before the end of its request, of which no more is wanted then. */
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
      // Larger than any record, or of another version: the client sees it, and cannot ask for what it names.
      asked.off("data", read);
    }
  };
  asked.on("data", read);
}

/** Before anything was answered. */
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

/** An answer without a message, as of a list without entries. */
export function answerEmpty(stream: ServerHttp2Stream): void {
  if (stream.destroyed || stream.headersSent) return;
  endRequest(stream);
  stream.respond(
    { ":status": 200, "content-type": "application/grpc", "grpc-status": "0" },
    { endStream: true },
  );
}
