/**
 * The request that running code belongs to, wherever the code is called from: every line that it logs has its
 * id, and what it uses is charged to whom it works for.
 */
import { AsyncLocalStorage } from "node:async_hooks";

interface RunningRequest {
  readonly id: string;
  /** Whose share of the server's work it is; undefined until it has asked for its turn. */
  holder: string | undefined;
}

const current = new AsyncLocalStorage<RunningRequest>();

/** Undefined outside of one. */
export const currentRequest = (): RunningRequest | undefined => current.getStore();

/** The id of the request being answered; undefined outside of one. */
export const currentRequestId = (): string | undefined => current.getStore()?.id;

export function noteHolder(holder: string): void {
  const request = current.getStore();
  if (request) request.holder = holder;
}

/** Runs `run` for this request, including anything that it starts for later. */
export function runForRequest<Result>(id: string, run: () => Result): Result {
  return current.run({ id, holder: undefined }, run);
}

/** Runs `run` as the server's own work: for what a request starts, but several share. */
export const outsideRequests = <Result>(run: () => Result): Result => current.exit(run);
