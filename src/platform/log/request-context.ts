/** Which request the code that runs is about, wherever it is called from: every line that it logs says so. */
import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** The id of the request that is being answered; undefined outside of one. */
export const currentRequestId = (): string | undefined => current.getStore();

/** Runs all that comes of `run`, also later, for this request. */
export function runForRequest<Result>(requestId: string, run: () => Result): Result {
  return current.run(requestId, run);
}
