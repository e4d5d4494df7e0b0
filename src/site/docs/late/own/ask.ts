/** What the server knows about the reader: the same requests as the web application's, with the browser's own session. */

/** A refusal in the server's words. `signed out`: the session has ended. */
export class AskError extends Error {
  override name = "AskError";
  readonly isSignedOut: boolean;
  /** The server wants the person to confirm that it is them, which the application asks for. */
  readonly needsApplication: boolean;

  constructor(
    message: string,
    {
      isSignedOut = false,
      needsApplication = false,
      cause,
    }: { isSignedOut?: boolean; needsApplication?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isSignedOut = isSignedOut;
    this.needsApplication = needsApplication;
  }
}

export interface Reader {
  /** The host of image names. */
  host: string;
  organizations: { id: string; name: string }[];
}

export interface Project {
  id: string;
  name: string;
}

/** Answers are bounded by the server; this is how long a page waits for one. */
const PATIENCE_MS = 10_000;
/** Organizations and projects in a menu. */
const MOST_CHOICES = 100;

/** @returns null: not signed in, or the operator has switched this off. @throws AskError */
export async function askReader(signal: AbortSignal): Promise<Reader | null> {
  const state = await ask<{ host: unknown; user: { organizations: unknown } | null; names_reader?: false }>(
    "/auth/state",
    { signal },
  );
  if (!state.user || state.names_reader === false) return null;
  return { host: String(state.host), organizations: readNamed(state.user.organizations) };
}

/** The items of a list in an answer that have an id and a name. */
function readNamed(list: unknown): { id: string; name: string }[] {
  if (!Array.isArray(list)) return [];
  return list
    .filter(
      (item: Partial<Project> | null): item is Project =>
        typeof item?.id === "string" && typeof item.name === "string",
    )
    .slice(0, MOST_CHOICES);
}

/** A call of the API. @param method `ProjectService/List` @throws AskError */
export function callApi<Answer>(
  method: string,
  request: object,
  { organization, signal, key }: { organization: string; signal: AbortSignal; key?: string },
): Promise<Answer> {
  return ask<Answer>(`/api/millrace.v1.${method}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Millrace-Org": organization,
      ...(key && { "Idempotency-Key": key }),
    },
    body: JSON.stringify(request),
    signal,
  });
}

export async function listProjects(organization: string, signal: AbortSignal): Promise<Project[]> {
  const { projects } = await callApi<{ projects?: unknown }>(
    "ProjectService/List",
    { page_size: MOST_CHOICES },
    { organization, signal },
  );
  return readNamed(projects);
}

/** @throws AskError; the signal's reason when it is aborted */
export async function ask<Answer>(
  path: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Answer> {
  const response = await fetch(path, {
    ...init,
    cache: "no-store",
    credentials: "same-origin",
    signal: AbortSignal.any([init.signal, AbortSignal.timeout(PATIENCE_MS)]),
  }).catch((cause: unknown) => {
    init.signal.throwIfAborted();
    throw new AskError("The server does not respond. Check that you are online.", { cause });
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && typeof body === "object" && body !== null) return body as Answer; // the server's own shapes
  const message = (body as { message?: unknown } | null)?.message;
  throw new AskError(
    typeof message === "string" && message ? sentence(message) : `The server answered ${response.status}.`,
    {
      isSignedOut: response.status === 401,
      needsApplication: response.headers.get("millrace-confirm") === "required",
    },
  );
}

const sentence = (message: string) =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
