/**
 * The request that running code belongs to, wherever the code is called from: every line that it logs has its
 * id.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** The id of the request being answered; undefined outside of one. */
export const currentRequestId = (): string | undefined => current.getStore();

/** Runs `run` for this request, including anything that it starts for later. */
export function runForRequest<Result>(requestId: string, run: () => Result): Result {
  return current.run(requestId, run);
}
