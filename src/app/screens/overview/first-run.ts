/** The first steps of a person and an organization, as seen by the server (`GET /app/:org/first-run`). */
import { queryOptions } from "@tanstack/react-query";
import { CallError } from "../../data/call.ts";
import { sendRequest } from "../../data/send.ts";

/** In the order of the list. */
export const STEP_KEYS = ["login", "project", "build", "token", "job", "colleague"] as const;
export type StepKey = (typeof STEP_KEYS)[number];

/** Only owners can do these: members see a shorter list. */
const OWNER_STEPS: ReadonlySet<StepKey> = new Set(["job", "colleague"]);
/** People who only use the caches build nothing, and must not be asked forever. */
const OPTIONAL_STEPS: ReadonlySet<StepKey> = new Set(["build"]);

export interface StepFound {
  /** RFC 3339. */
  at: string;
  found: { text: string; id?: string };
}

/** An event in one line; refusals go to those who may read them. */
export interface LatestEvent {
  id: string;
  /** RFC 3339. */
  at: string;
  /** `token.create` */
  kind: string;
  /** Null: this person may not read it. */
  subject: string | null;
  project: string | null;
  by: string | null;
  by_id: string | null;
  /** Null or empty: this person may not read it. */
  text: string | null;
  refused: boolean;
}

export interface FirstRun {
  steps: { [Key in StepKey]: StepFound | null };
  /** Newest last. */
  heard: readonly LatestEvent[];
}

const NOTHING_YET: FirstRun["steps"] = {
  login: null,
  project: null,
  build: null,
  token: null,
  job: null,
  colleague: null,
};

export const firstRunQuery = (organization: string) =>
  queryOptions({
    queryKey: ["first-run", organization],
    queryFn: async ({ signal }): Promise<FirstRun> => {
      const response = await sendRequest(`/app/${encodeURIComponent(organization)}/first-run`, {
        cache: "no-store",
        headers: { Accept: "application/json" },
        signal,
      });
      const body: unknown = await response.json().catch(() => undefined);
      if (response.ok && typeof body === "object" && body !== null) return readFirstRun(body);
      throw new CallError(`The server answered ${response.status}.`, {
        code: "unknown",
        status: response.status,
        requestId: response.headers.get("x-request-id") ?? undefined,
      });
    },
  });

/** A server older than this page may leave out a step. */
export function readFirstRun(body: {
  steps?: Partial<FirstRun["steps"]>;
  heard?: FirstRun["heard"];
}): FirstRun {
  return { steps: { ...NOTHING_YET, ...body.steps }, heard: body.heard ?? [] };
}

/** The steps that this person may do. */
export const stepsFor = ({ isOwner }: { isOwner: boolean }): readonly StepKey[] =>
  STEP_KEYS.filter((key) => isOwner || !OWNER_STEPS.has(key));

/** Whether all required steps are done. */
export function isFinished({ steps }: FirstRun, keys: readonly StepKey[]): boolean {
  return keys.every((key) => steps[key] !== null || OPTIONAL_STEPS.has(key));
}

const MAX_LATEST = 20;

/** Events from the page and from the stream, each once, the newest last. */
export function mergeLatest(
  read: readonly LatestEvent[],
  live: readonly LatestEvent[] = [],
): readonly LatestEvent[] {
  const byId = new Map([...read, ...live].map((event) => [event.id, event]));
  return [...byId.values()]
    .filter(({ text }) => text)
    .toSorted((one, other) => compare(one.at, other.at) || compare(one.id, other.id))
    .slice(-MAX_LATEST);
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
