/**
 * The request that running code belongs to, wherever the code is called from: every line that it logs has its
 * id, and the work is charged to its holder.
 */
import { AsyncLocalStorage } from "node:async_hooks";

interface RunningRequest {
  readonly id: string;
  /** The holder whose share of the server's work is used; undefined until it has asked for its turn. */
  holder: string | undefined;
}

const current = new AsyncLocalStorage<RunningRequest>();

/** Undefined outside a request. */
export const currentRequest = (): RunningRequest | undefined => current.getStore();

/** The id of the current request; undefined outside a request. */
export const currentRequestId = (): string | undefined => current.getStore()?.id;

export function noteHolder(holder: string): void {
  const request = current.getStore();
  if (request) request.holder = holder;
}

/** Runs `run` for this request, including anything that it starts for later. */
export function runForRequest<Result>(id: string, run: () => Result): Result {
  return current.run({ id, holder: undefined }, run);
}

/** Runs `run` as the server's own work: for work that a request starts, but several share. */
export const outsideRequests = <Result>(run: () => Result): Result => current.exit(run);
