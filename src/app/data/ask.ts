import { messageOf, noteAnswered, noteRefused, post } from "./session.ts";

/** Why a report is missing, in words for the operator. */
export class ReportError extends Error {
  override name = "ReportError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * @param path below `/console/api/`, with its query.
 * @throws ReportError; the signal's reason when it is aborted.
 */
export function readReport<T>(path: string, signal: AbortSignal): Promise<T> {
  return ask<T>(path, { signal });
}

/** @throws ReportError. */
export function sendAction<T>(path: string, body: unknown): Promise<T> {
  return ask<T>(path, post(body));
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(`/console/api/${path}`, {
    ...init,
    headers: { Accept: "application/json", ...init.headers },
  }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw new ReportError(0, "The server does not answer. Check that it runs and that you are online.");
  });
  if (response.ok) {
    const isJson = response.headers.get("content-type")?.includes("json");
    if (!isJson)
      throw new ReportError(response.status, "The server answered with something else than a report.");
    // The shapes are the server's own types, in `report-types.ts`.
    const body = (await response.json()) as T;
    noteAnswered();
    return body;
  }
  const message = await messageOf(response);
  if (response.status === 401 || response.status === 403) noteRefused(response.status);
  throw new ReportError(response.status, message ?? `The server answered with status ${response.status}.`);
}
