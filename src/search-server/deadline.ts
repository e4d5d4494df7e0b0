import { ApiError } from "./errors.ts";
import type { SearchLimits } from "./limits.ts";

/** Asked before each query of a request: several slow ones must not hold up every other reader. */
export function refuseIfLate(started: number, options: { limits: SearchLimits; now: () => number }): void {
  if (options.now() - started <= options.limits.requestMs) return;
  throw new ApiError(
    "too_many_search_requests",
    `The queries before this one took more than ${options.limits.requestMs} ms. Send fewer or simpler queries at once.`,
  );
}
