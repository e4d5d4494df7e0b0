/**
 * The only place that decides permissions: one table, from action to allowed callers. Everything that no line allows is
 * refused.
 *
 *   an object of another organization   not_found, for every caller
 *   a right that the caller lacks       permission_denied
 */
import { type Actor, isOperator, isOwnerOf, organizationNameOf, type UserActor } from "./actor.ts";
import { Refused } from "./refused.ts";

/**
 * `yes`: in the organization; `own`: its own project; `owner`: owners; `self`: the person's own objects; `owner or self`;
 * `operator`: owners of the server's first organization.
 */
type Rule = "yes" | "no" | "own" | "owner" | "self" | "owner or self" | "operator";
interface Line {
  user: Rule;
  organization: Rule;
  project: Rule;
  job: Rule;
  /** The action in messages: "members may not …". */
  does: string;
}

const line = ([user, organization, project, job]: readonly [Rule, Rule, Rule, Rule], does: string): Line => ({
  user,
  organization,
  project,
  job,
  does,
});

// prettier-ignore
export const RULES = {
  //                               user             organization project job
  "account.read":         line(["self",          "yes", "yes", "yes"], "read who they are"),
  "account.update":       line(["self",          "no",  "no",  "no"],  "change a person's account"),
  "organization.create":  line(["operator",      "no",  "no",  "no"],  "create organizations"),
  "organization.list":    line(["self",          "yes", "no",  "no"],  "list organizations"),
  "organization.read":    line(["yes",           "yes", "no",  "no"],  "read the organization"),
  "organization.update":  line(["owner",         "no",  "no",  "no"],  "change the organization"),
  "organization.delete":  line(["owner",         "no",  "no",  "no"],  "delete the organization"),
  "member.list":          line(["yes",           "yes", "no",  "no"],  "list members"),
  "member.update":        line(["owner",         "no",  "no",  "no"],  "change members"),
  "member.remove":        line(["owner or self", "no",  "no",  "no"],  "remove members"),
  "member.two-step":      line(["owner",         "no",  "no",  "no"],  "turn off two-step sign-in of members"),
  "invitation.create":    line(["owner",         "no",  "no",  "no"],  "invite members"),
  "invitation.list":      line(["owner",         "no",  "no",  "no"],  "list invitations"),
  "invitation.revoke":    line(["owner",         "no",  "no",  "no"],  "revoke invitations"),
  "audit.list":           line(["owner",         "no",  "no",  "no"],  "read the audit log"),
  "project.create":       line(["yes",           "yes", "no",  "no"],  "create projects"),
  "project.list":         line(["yes",           "yes", "no",  "no"],  "list projects"),
  "project.read":         line(["yes",           "yes", "own", "own"], "read other projects"),
  "project.update":       line(["yes",           "yes", "no",  "no"],  "change projects"),
  "project.trust":        line(["owner",         "yes", "no",  "no"],  "change trust relationships"),
  "project.delete":       line(["owner",         "yes", "no",  "no"],  "delete projects"),
  "layer-cache.reset":    line(["yes",           "yes", "own", "no"],  "reset layer caches"),
  "token.list":           line(["yes",           "no",  "no",  "no"],  "list tokens"),
  "token.user":           line(["self",          "no",  "no",  "no"],  "create and revoke tokens"),
  "token.org":            line(["owner",         "no",  "no",  "no"],  "create and revoke organization tokens"),
  "token.project":        line(["yes",           "no",  "no",  "no"],  "create and revoke tokens"),
  "token.job":            line(["owner",         "no",  "no",  "no"],  "revoke the tokens of jobs"),
  "exchange.list":        line(["yes",           "yes", "no",  "no"],  "read the exchanges of CI jobs"),
  "trust.test":           line(["yes",           "yes", "no",  "no"],  "test trust relationships"),
  "usage.read":           line(["yes",           "yes", "no",  "no"],  "read the usage"),
  "build.read":           line(["yes",           "yes", "own", "own"], "read builds of other projects"),
  "build.write":          line(["yes",           "yes", "own", "own"], "build other projects"),
  "image.read":           line(["yes",           "yes", "own", "own"], "pull images of other projects"),
  "image.write":          line(["yes",           "yes", "own", "own"], "push or delete images of other projects"),
  "mirror.read":          line(["yes",           "yes", "yes", "yes"], "pull images from other registries"),
  "mirror.write":         line(["owner",         "no",  "no",  "no"],  "change credentials for other registries"),
  "cache.read":           line(["yes",           "yes", "no",  "yes"], "use the cache"),
  "cache.overlay":        line(["yes",           "yes", "no",  "yes"], "write to the cache"),
  "cache.write":          line(["yes",           "yes", "no",  "yes"], "write to the cache"),
  "cache.usage":          line(["yes",           "yes", "no",  "yes"], "read the cache's usage"),
  "cache.reset":          line(["yes",           "yes", "no",  "no"],  "reset the cache"),
  "cache.purge":          line(["owner",         "yes", "no",  "no"],  "purge a token's entries from the cache"),
  "runner.read":          line(["yes",           "yes", "no",  "no"],  "list runners"),
  "session.read":         line(["yes",           "yes", "no",  "no"],  "read agent sessions"),
  "session.write":        line(["yes",           "yes", "no",  "no"],  "start agent sessions"),
  "secret.list":          line(["owner",         "no",  "no",  "no"],  "list secrets"),
  "secret.write":         line(["owner",         "no",  "no",  "no"],  "set secrets"),
  "console.read":         line(["operator",      "no",  "no",  "no"],  "read the console"),
} as const satisfies Record<string, Line>;

export type Action = keyof typeof RULES;

/** An object, and where it belongs. */
export interface Resource {
  /** The object in messages: `project prj_7q4hx2n9ds`. */
  name: string;
  /** Null: a person's, or the server's. */
  organizationId: string | null;
  /** For a project and objects that belong to it. */
  projectId?: string;
  /** The owner: the member, or the person of the token. */
  userId?: string | null;
}

/** The only actions of a read-only token, as far as its kind may do them. */
const READ_ONLY: ReadonlySet<Action> = new Set(["account.read", "cache.read", "image.read", "mirror.read"]);
/** What the token was mistakenly used for, where "may only pull" does not say enough. */
const READ_ONLY_MISTAKES: Partial<Record<Action, string>> = {
  "build.write": "build",
  "image.write": "push, tag or delete images",
};
/** The rights that allow a job each cache action; its trust relationship gives the right. */
const CACHE_RIGHTS: Partial<Record<Action, ReadonlySet<string>>> = {
  "cache.overlay": new Set(["overlay", "write"]),
  "cache.write": new Set(["write"]),
};

/** @returns null when the actor may do it; otherwise the refusal */
export function authorize(actor: Actor, action: Action, resource: Resource): Refused | null {
  if (!mayKnow(actor, resource)) return notFound(actor, resource.name);
  if ("readOnly" in actor && actor.readOnly && !READ_ONLY.has(action))
    return denyReader(actor, action, resource);
  const { [actor.kind]: rule, does } = RULES[action];
  if (actor.kind === "user") return obeys(actor, rule, resource) ? null : denyUser(rule, does, resource);
  if (rule === "no" || resource.organizationId === null)
    return new Refused("permission_denied", `${actor.kind} tokens may not ${does}`, {
      advice: adviseToken(action),
    });
  if (actor.kind === "job" && CACHE_RIGHTS[action]?.has(actor.cache) === false)
    return new Refused(
      "permission_denied",
      `the trust relationship of this job has the cache right "${actor.cache}"`,
      { advice: "change it in the project's settings" },
    );
  if (rule === "own" && !ownsProject(actor, resource))
    return new Refused("permission_denied", `this token belongs to another project and may not ${does}`, {
      advice: "use a token of that project",
    });
  return null;
}

/** Clients of registries and caches show only the message, so it says which token to use. */
function denyReader({ kind }: Actor, action: Action, { organizationId }: Resource): Refused {
  const mistake = READ_ONLY_MISTAKES[action];
  const reads = kind === "project" ? "pull images" : "pull images and read from the cache";
  const may = mistake === undefined ? `may only ${reads}` : `may not ${mistake}`;
  return new Refused("permission_denied", `a read-only token ${may}; use a token that is not read-only`, {
    organizationId,
  });
}

/** The kind of token that may do it: for a machine, an organization's token is better. */
function adviseToken(action: Action): string {
  const { organization } = RULES[action];
  return organization === "no" ? "use a user token" : "use an organization token or a user token";
}

/** The caller's own object: a person's account, or the organization of a token. */
export function selfOf(actor: Actor): Resource {
  if (actor.kind !== "user") return { name: `token ${actor.tokenId}`, organizationId: actor.organizationId };
  return { name: `user ${actor.userId}`, organizationId: null, userId: actor.userId };
}

/** The answer for an object that does not exist, and for an object of another organization. */
export function notFound(actor: Actor, name: string): Refused {
  const organization = organizationNameOf(actor);
  return new Refused(
    "not_found",
    organization ? `${name} was not found in ${organization}` : `${name} was not found`,
  );
}

function mayKnow(actor: Actor, { organizationId, userId }: Resource): boolean {
  if (organizationId === null)
    return userId === undefined || (actor.kind === "user" && userId === actor.userId);
  if (actor.kind !== "user") return organizationId === actor.organizationId;
  return actor.memberships.some((membership) => membership.organizationId === organizationId);
}

function obeys(actor: UserActor, rule: Rule, resource: Resource): boolean {
  const isSelf = resource.userId === actor.userId;
  const isOwner = resource.organizationId !== null && isOwnerOf(actor, resource.organizationId);
  switch (rule) {
    case "yes":
      return resource.organizationId !== null;
    case "owner":
      return isOwner;
    case "self":
      return isSelf;
    case "owner or self":
      return isOwner || isSelf;
    case "operator":
      return isOperator(actor);
    default:
      return false;
  }
}

function denyUser(rule: Rule, does: string, { organizationId }: Resource): Refused {
  if (rule === "operator")
    return new Refused("permission_denied", `only owners of the server's first organization may ${does}`, {
      advice: "ask one of them",
      organizationId,
    });
  return rule === "self"
    ? new Refused("permission_denied", `others may not ${does}`)
    : new Refused("permission_denied", `only owners may ${does}`, { advice: "ask an owner", organizationId });
}

function ownsProject(actor: Exclude<Actor, UserActor>, { projectId }: Resource): boolean {
  if (actor.kind === "organization" || (actor.kind === "job" && actor.projectId === null)) return true;
  return projectId !== undefined && projectId === actor.projectId;
}
