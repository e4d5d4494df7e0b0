/** One connection of a client, and its connection to the builder, which opens with the first call. */
import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { TLSSocket } from "node:tls";
import { Code } from "@connectrpc/connect";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import type { MessageRoom } from "#platform/grpc/message-room.ts";
import type { Log } from "#platform/log/log.ts";
import { type BuilderConnection, createBuilderConnection } from "./builder-connection.ts";
import { CALLS } from "./calls.ts";
import { answerEmpty, answerError, forward } from "./forward.ts";
import {
  GOODBYE_MS,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  MAX_STREAMS,
  MAX_TRAILER_BYTES,
  PING_MS,
  RESETS,
  SESSION_WINDOW_BYTES,
  STREAM_WINDOW_BYTES,
  UNSOLVED_MS,
} from "./limits.ts";
import type { Caller, ProxyBuild } from "./proxy-build.ts";
import { createOpenCalls, type OpenCalls } from "./open-calls.ts";
import { createCallPace, type PaceCall } from "./pass-bytes.ts";
import { readRequest } from "./read-request.ts";

export interface Connection {
  caller: Caller;
  /** Ends every call, with this reason if it has no answer yet. */
  cut: (reason: string) => void;
}

export interface ConnectionOptions {
  caller: Caller;
  room: MessageRoom;
  log: Log;
  onClose: () => void;
}

export const ENDED = "this build has ended: start another";

export function serveConnection(socket: TLSSocket, options: ConnectionOptions): Connection {
  const { caller, log, onClose } = options;
  const session = openSession(socket);
  const calls = createOpenCalls();
  const pace = createCallPace();
  const builder = createBuilderConnection(caller, log);
  session.on("stream", (stream, headers, _flags, rawHeaders) => {
    calls.add(stream);
    stream.on("error", () => undefined);
    const path = headers[":path"] ?? "";
    serveCall({ ...options, calls, pace, builder }, { stream, path, rawHeaders }).catch((error: unknown) => {
      if (error instanceof GrpcError) return answerError(stream, error);
      if (stream.destroyed || stream.closed) return;
      log.error("a call to a builder failed", { error, build: caller.buildId, path });
      answerError(stream, new GrpcError(Code.Internal, "the call failed: the server's log says why"));
    });
  });
  // A closed session waits for its client to hang up, which a client might not do.
  const hangUp = () => {
    session.destroy();
    socket.destroy();
  };
  watchClient(session, caller, hangUp);
  session.once("close", () => {
    builder.close();
    onClose();
  });
  return {
    caller,
    cut(reason) {
      calls.endAll(new GrpcError(Code.Canceled, reason));
      // Work at the builder ends with its calls.
      builder.close();
      session.close();
      setTimeout(hangUp, GOODBYE_MS).unref();
    },
  };
}

interface CallContext extends ConnectionOptions {
  calls: OpenCalls;
  pace: PaceCall;
  builder: BuilderConnection;
}

interface IncomingCall {
  stream: ServerHttp2Stream;
  path: string;
  rawHeaders: string[];
}

/** @throws GrpcError when the call is refused */
async function serveCall(
  { caller, room, calls, pace, builder }: CallContext,
  { stream, path, rawHeaders }: IncomingCall,
): Promise<void> {
  const guard = CALLS.get(path);
  if (!guard)
    throw new GrpcError(Code.Unimplemented, `${path.slice(0, 200)} is not available to clients of a build`);
  const isGone = () => stream.destroyed || stream.closed;
  const turn = pace(findLive(caller).organizationId, isGone);
  if (turn) await turn;
  if (isGone()) return;
  const live = findLive(caller);
  const { organizationId } = live;
  let body: Buffer | null = null;
  const read = async (maxBytes: number) => {
    const { message, release } = await readRequest(stream, maxBytes, { room, holder: organizationId });
    if (stream.closed) release();
    else stream.once("close", release);
    body = frameMessage(message);
    return message;
  };
  const header = (name: string) => valuesOf(rawHeaders, name);
  const passage = await guard({ live, claims: caller.claimsAt(live), header, read });
  if (isGone()) return;
  if (passage.isAnswered) return answerEmpty(stream);
  // The build may have ended while the call was judged.
  findLive(caller);
  const refuse = (error: GrpcError) => {
    // A client prints the error of its Solve.
    calls.endSolves(error);
    calls.end(stream, error);
  };
  const going = { stream, rawHeaders, path, organizationId, body, passage, refuse };
  const end = forward(builder.open(live), going);
  calls.forwarded(stream, end, passage.isSolve === true);
}

/** @throws GrpcError when the build has ended */
function findLive(caller: Caller): ProxyBuild {
  const live = caller.find();
  if (!live) throw new GrpcError(Code.PermissionDenied, ENDED);
  return live;
}

function openSession(socket: TLSSocket): ServerHttp2Session {
  socket.setNoDelay(true);
  socket.on("error", () => undefined);
  const session = performServerHandshake(socket, {
    maxHeaderListPairs: MAX_HEADERS,
    maxSendHeaderBlockLength: MAX_TRAILER_BYTES,
    ...RESETS,
    settings: {
      maxConcurrentStreams: MAX_STREAMS,
      initialWindowSize: STREAM_WINDOW_BYTES,
      maxHeaderListSize: MAX_HEADER_BYTES,
      enablePush: false,
    },
  });
  session.setLocalWindowSize(SESSION_WINDOW_BYTES);
  session.on("error", () => undefined);
  return session;
}

/** Disconnects a client that does not answer, or never builds anything. */
function watchClient(session: ServerHttp2Session, caller: Caller, hangUp: () => void): void {
  let unanswered = 0;
  const ping = setInterval(() => {
    if (unanswered >= 2 || session.destroyed) return hangUp();
    unanswered += 1;
    session.ping(() => (unanswered = 0));
  }, PING_MS).unref();
  const unsolved = setTimeout(() => {
    const live = caller.find();
    if (!live || !caller.claimsAt(live).hasSolved) hangUp();
  }, UNSOLVED_MS).unref();
  session.once("close", () => {
    clearInterval(ping);
    clearTimeout(unsolved);
  });
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at] === name) values.push(rawHeaders[at + 1] ?? "");
  return values;
}
