import type { ServerHttp2Stream } from "node:http2";
import type { GrpcError } from "#platform/grpc/grpc-error.ts";
import { answerError, type EndCall } from "./forward.ts";

/** Open calls of one connection. */
export interface OpenCalls {
  add: (stream: ServerHttp2Stream) => void;
  /** The call was forwarded. @param isSolve whether it is the build itself */
  forwarded: (stream: ServerHttp2Stream, end: EndCall, isSolve: boolean) => void;
  end: (stream: ServerHttp2Stream, error: GrpcError) => void;
  endAll: (error: GrpcError) => void;
  endSolves: (error: GrpcError) => void;
}

export function createOpenCalls(): OpenCalls {
  const calls = new Map<ServerHttp2Stream, { end: EndCall; isSolve: boolean }>();
  return {
    add(stream) {
      calls.set(stream, { end: (error) => answerError(stream, error), isSolve: false });
      stream.once("close", () => calls.delete(stream));
    },
    forwarded(stream, end, isSolve) {
      if (calls.has(stream)) calls.set(stream, { end, isSolve });
    },
    end: (stream, error) => calls.get(stream)?.end(error),
    endAll: (error) => calls.forEach(({ end }) => end(error)),
    endSolves: (error) => calls.forEach(({ end, isSolve }) => isSolve && end(error)),
  };
}
