/** Reports on what readers do and miss: JSON below `/console/api/`, for operators. */
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { CallError, noteSignedOut, readSignedOut, watchSignedOut } from "../../data/call.ts";

/** Months of figures and whole recordings are large: unused ones leave the memory soon. */
const UNSEEN_MS = 60_000;

export type Report<T> = UseQueryResult<T>;

/**
 * A report by its path and query. When only the range changes, the previous report stays as placeholder data.
 * @param every milliseconds from an answer to the next request, while the page is visible; null: not now
 */
export function useReport<T>(path: string, every?: number | null): Report<T> {
  return useQuery({
    queryKey: ["documentation", path],
    queryFn: ({ signal }) => readReport<T>(path, signal),
    placeholderData: (former, query) =>
      query && kindOf(String(query.queryKey[1])) === kindOf(path) ? former : undefined,
    gcTime: UNSEEN_MS,
    retry: false,
    ...(every !== undefined && { staleTime: 0, refetchInterval: every ?? false, refetchOnWindowFocus: true }),
  });
}

/** The kind of report, regardless of the range. */
const kindOf = (path: string) => path.replaceAll(/(?:from|to)=\d+/g, "");

/** @throws CallError; the signal's reason when it is aborted */
async function readReport<T>(path: string, signal: AbortSignal): Promise<T> {
  try {
    return await ask<T>(path, { signal });
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 401) throw error;
    // A question covers the page, which stays unchanged below it; then it continues.
    await whenSignedIn(signal);
    return ask<T>(path, { signal });
  }
}

/** @throws CallError */
export function sendAction<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, {
    signal: signal ?? null,
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(`/console/api/${path}`, {
    ...init,
    cache: "no-store",
    headers: { Accept: "application/json", ...init.headers },
  }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw new CallError("The server does not respond. Check that it is running and that you are online.", {
      code: "unreachable",
      status: 0,
    });
  });
  const body: unknown = await response.json().catch(() => undefined);
  // The shapes are the server's own types, in `report-types.ts`.
  if (response.ok && typeof body === "object" && body !== null) return body as T;
  if (response.status === 401) noteSignedOut();
  throw errorOf(response, body);
}

function errorOf({ status, headers }: Response, body: unknown): CallError {
  const { code, message } = (typeof body === "object" && body !== null ? body : {}) as {
    [name: string]: unknown;
  };
  return new CallError(typeof message === "string" ? message : `The server answered with status ${status}.`, {
    code: typeof code === "string" ? code : "unknown",
    status,
    requestId: headers.get("x-request-id") ?? undefined,
  });
}

/** Resolves after a sign-in in another tab. @throws the signal's reason */
function whenSignedIn(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      stop();
      signal.removeEventListener("abort", onAbort);
    };
    const onAbort = () => {
      end();
      reject(signal.reason as Error);
    };
    const stop = watchSignedOut(() => {
      if (readSignedOut()) return;
      end();
      resolve();
    });
    signal.addEventListener("abort", onAbort);
  });
}

/** Whether the requested report no longer exists. */
export const isGone = ({ error }: Report<unknown>) => error instanceof CallError && error.status === 404;

/** For a table's `key`: rows of another range are not new, and never wait behind "3 new". */
export const shownKey = ({ isPlaceholderData }: Report<unknown>, path: string) =>
  isPlaceholderData ? "former" : path;
