/** Access to repositories. A project's repository exists as long as its project. */
import { type Action, type Actor, askDatabase, authorize } from "#accounts/index.ts";
import { MAX_REMEMBERED_REPOSITORIES, REMEMBERED_MS } from "../contract/limits.ts";
import { parseRepositoryName, type RepositoryName } from "../contract/names.ts";
import type { Grant, RegistryCaller, Repository, Right } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import type { RegistryDatabase } from "../contract/schema.ts";

const ACTIONS: Readonly<Record<Right, Action>> = { pull: "image.read", push: "image.write" };

export interface GrantOptions {
  database: RegistryDatabase;
  clock: () => number;
  /** Absent: nothing is pulled through. */
  grantMirror?: (
    caller: RegistryCaller,
    name: Extract<RepositoryName, { kind: "mirror" }>,
    right: Right,
  ) => Promise<Grant>;
}

export type GrantRepository = (caller: RegistryCaller, name: string, right: Right) => Promise<Grant>;

type ProjectName = Extract<RepositoryName, { kind: "project" }>;

/** Finds a project of the actor's organizations. */
function createProjectSearch({ database, clock }: GrantOptions) {
  const remembered = new Map<string, { repository: Repository; readAt: number }>();

  return async (actor: Actor, name: ProjectName): Promise<Repository | undefined> => {
    const full = `${name.organization}/${name.project}`;
    const own = organizationsOf(actor);
    // Remembered projects of other organizations are not used: a quick answer would reveal that they exist.
    const known = remembered.get(full);
    if (
      known &&
      own.includes(known.repository.organizationId) &&
      Math.abs(clock() - known.readAt) < REMEMBERED_MS
    )
      return known.repository;
    if (own.length === 0) return undefined;
    const row = await askDatabase(() =>
      database.db
        .selectFrom("projects")
        .innerJoin("organizations", "organizations.id", "projects.organization_id")
        .select(["projects.id", "organization_id"])
        .where("organizations.name", "=", name.organization)
        .where("projects.name", "=", name.project)
        .where("organization_id", "in", own)
        .executeTakeFirst(),
    );
    if (!row) return undefined;
    const repository = {
      id: row.id,
      name: full,
      organizationId: row.organization_id,
      projectId: row.id,
    };
    remembered.delete(full);
    remembered.set(full, { repository, readAt: clock() });
    // A Map iterates in insertion order.
    if (remembered.size > MAX_REMEMBERED_REPOSITORIES) remembered.delete(remembered.keys().next().value!);
    return repository;
  };
}

export function createGranting(options: GrantOptions): GrantRepository {
  const { grantMirror } = options;
  const findProject = createProjectSearch(options);
  return async (caller, text, right) => {
    const name = parseRepositoryName(text);
    if (!name)
      throw new RegistryError(
        "NAME_INVALID",
        `${text.slice(0, 100)} is not a repository name; it must be <organization>/<project>, or mirror/<host>/<image>`,
      );
    if (name.kind === "mirror") {
      if (!grantMirror) throw unknownName(text);
      requireScope(caller, text, right);
      return grantMirror(caller, name, right);
    }
    const { actor } = caller;
    const repository = await findProject(actor, name);
    if (!repository) throw unknownName(text);
    const resource = {
      name: `project ${text}`,
      organizationId: repository.organizationId,
      projectId: repository.id,
    };
    const refused = authorize(actor, ACTIONS[right], resource);
    if (refused) throw new RegistryError("DENIED", refused.message, { cause: refused });
    requireScope(caller, text, right);
    return { repository, right, actor };
  };
}

const organizationsOf = (actor: Actor): string[] =>
  actor.kind === "user"
    ? actor.memberships.map(({ organizationId }) => organizationId)
    : [actor.organizationId];

function requireScope({ scopes }: RegistryCaller, name: string, right: Right): void {
  if (!scopes || scopes.some((scope) => scope.name === name && scope.rights.includes(right))) return;
  throw new RegistryError(
    "DENIED",
    `this token from /v2/token may not ${right} ${name}; request another token`,
    {
      // With a challenge, the client asks for a token with more scopes.
      status: 401,
      detail: { name, right },
    },
  );
}

const unknownName = (name: string) =>
  new RegistryError(
    "NAME_UNKNOWN",
    `project ${name} was not found; create it first, and check the name: organization, then project`,
  );
