import { SearchError } from "#search/types.ts";
import { ApiError } from "./errors.ts";

/** Mistakes that the engine finds become errors of the protocol, with the index's name as Meilisearch puts it. */
export function translateErrors<T>(uid: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof SearchError)) throw cause;
    throw new ApiError(cause.code, `Index \`${uid}\`: ${cause.message}`, { cause });
  }
}

/** Says in which of several queries the mistake is. */
export function inQuery<T>(position: number, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new ApiError(cause.code, `Inside \`.queries[${position}]\`: ${cause.message}`, { cause });
  }
}
