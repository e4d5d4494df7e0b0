/** Outcomes of calls, for the operator's metrics. Calls that fail before they name an instance belong to no tool. */
import { Code } from "@connectrpc/connect";
import { CallOverError } from "#platform/grpc/call-waits.ts";
import type { RawMethod } from "#platform/grpc/raw-methods.ts";
import type { Tool } from "../../contract/tools.ts";
import type { Outcome, Traffic } from "../../figures/traffic.ts";
import { toGrpcError } from "./errors.ts";

/** Counts one call while it is answered. */
export interface CallCount {
  tool: Tool | null;
  /** If it differs from the method's success. */
  outcome: Outcome | null;
  /** Bytes of entries. */
  receivedBytes: number;
  sentBytes: number;
}

export const createCallCount = (): CallCount => ({
  tool: null,
  outcome: null,
  receivedBytes: 0,
  sentBytes: 0,
});

/** The outcome of a method's success; methods that are not listed have none. */
const SUCCESSES: Readonly<Record<string, Outcome>> = {
  getActionResult: "hit",
  batchReadBlobs: "hit",
  read: "hit",
  updateActionResult: "stored",
  batchUpdateBlobs: "stored",
  write: "stored",
};

/** @param name of the method, as in the generated code */
export function countCalls<Caller extends { count: CallCount }>(
  traffic: Traffic,
  name: string,
  method: RawMethod<Caller>,
): RawMethod<Caller> {
  const success = SUCCESSES[name] ?? "other";
  return async (call, caller) => {
    const { count } = caller;
    try {
      await method(call, caller);
      count.outcome ??= success;
    } catch (error) {
      count.outcome = outcomeOf(error, success);
      throw error;
    } finally {
      const { tool, outcome, receivedBytes, sentBytes } = count;
      if (tool) {
        traffic.count(tool, outcome ?? success);
        traffic.receive(tool, receivedBytes);
        traffic.send(tool, sentBytes);
      }
    }
  };
}

const FAILURES: ReadonlySet<Code | undefined> = new Set([undefined, Code.Unavailable, Code.Internal]);

function outcomeOf(error: unknown, success: Outcome): Outcome {
  if (error instanceof CallOverError) return "cut";
  const code = toGrpcError(error)?.code;
  if (code === Code.NotFound && success === "hit") return "miss";
  return FAILURES.has(code) ? "failed" : "refused";
}
