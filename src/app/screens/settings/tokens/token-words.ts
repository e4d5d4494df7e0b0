/** Kinds and rights of tokens, in words. The rights are those of `src/accounts/contract/authorize.ts`. */
import type { Token, TokenServiceCreateRequest } from "#api/gen/json-types.ts";
import { formatDate } from "../../../dates.ts";

export type NewTokenType = "user" | "org" | "project";

const PREFIXES: { [type: string]: string } = {
  user: "mr_user_",
  org: "mr_org_",
  project: "mr_prj_",
  job: "mr_job_",
};

export const prefixOf = (type: string): string => PREFIXES[type] ?? type;

/** For tables: "what ada may", "pull and build web", "pull web". */
export function describeRights(
  { type, read_only, owner, project_id }: Token,
  nameOfProject: (id: string) => string,
): string {
  if (read_only) return type === "project" ? `pull ${nameOfProject(project_id)}` : "pull images, read cache";
  if (type === "user") return owner === "" ? "what you may" : `what ${owner} may`;
  if (type === "project") return `pull and build ${nameOfProject(project_id)}`;
  return type === "org" ? "builds, cache, sessions" : "one CI job";
}

/** Shown after its creation, in two sentences. */
export function explainRights(
  { type, read_only }: { type: string; read_only: boolean },
  { organization, project }: { organization: string; project: string },
): string {
  if (read_only && type === "project") return `May pull the images of ${project}, and do nothing else.`;
  if (read_only && type === "org")
    return `May pull the images of every project of ${organization} and read from its remote cache, and do nothing else.`;
  if (read_only)
    return "May pull images and read from the remote cache in each organization that you belong to, and do nothing else.";
  if (type === "project")
    return `May build, push and pull ${project}. May not use the remote cache, read other projects or change any.`;
  if (type === "org")
    return `May build and change every project of ${organization}, use the remote cache and start sessions. May not create tokens, invite members or set secrets.`;
  return "May do what you may, in each organization that you belong to.";
}

const DAY_MS = 86_400_000;
/** After more days without use, the figure turns brass. */
export const LONG_UNUSED_DAYS = 30;

/** Since its last use, or since its creation when it was never used. */
export function isUnusedFor({ last_used_at, created_at }: Token, days: number, now = Date.now()): boolean {
  return now - Date.parse(last_used_at ?? created_at ?? "") >= days * DAY_MS;
}

/** User tokens end after a time without use; see the fact `token.user-idle`. */
export function describeEnd({ type, expires_at }: Token, now = Date.now()): string {
  if (!expires_at) return type === "user" ? "90 d unused" : "never";
  const end = new Date(expires_at);
  return `${end.getTime() <= now ? "ended " : ""}${formatDate(end)}`;
}

/** Names that describe a token's purpose. */
export function suggestNames(type: NewTokenType, project: string): string[] {
  if (type === "user") return ["CLI on my laptop", "CLI on my desktop"];
  if (type === "org") return ["nightly builds", "cache of CI jobs", "release script"];
  const name = project || "project";
  return [`CI of ${name}`, `cluster pulls of ${name}`, `${name}-deploy`];
}

export type Expiry = "never" | "30" | "90" | "date";

interface Draft {
  name: string;
  type: NewTokenType;
  projectId: string;
  isReadOnly: boolean;
  expiry: Expiry;
  /** `2027-02-18`, for the expiry `date`. */
  date: string;
}

/** @param now when the dialog was opened, so that a retry is the same request */
export function toTokenRequest(draft: Draft, now: number): TokenServiceCreateRequest {
  const { type, expiry, date } = draft;
  const end =
    expiry === "never" ? null : expiry === "date" ? endOfDay(date) : new Date(now + Number(expiry) * DAY_MS);
  return {
    name: draft.name.trim(),
    type,
    ...(type === "project" && { project_id: draft.projectId }),
    ...(draft.isReadOnly && { read_only: true }),
    ...(end && { expires_at: end.toISOString() }),
  };
}

/** The end of that day, in the reader's zone. */
function endOfDay(date: string): Date | null {
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end;
}
