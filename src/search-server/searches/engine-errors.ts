import { SearchError, type Steps } from "#search/index.ts";
import { ApiError } from "../protocol/errors.ts";

/** Turns the engine's errors into errors of the protocol, with the index's name in Meilisearch's style. */
export function* translateErrors<T>(uid: string, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (cause) {
    if (!(cause instanceof SearchError)) throw cause;
    throw new ApiError(cause.code, `Index \`${uid}\`: ${cause.message}`, { cause });
  }
}

/** Says which of several queries has the error. */
export function* inQuery<T>(position: number, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    const { code, message, retryAfterSeconds } = cause;
    throw new ApiError(code, `Inside \`.queries[${position}]\`: ${message}`, {
      cause,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
}
