/** Maps a project and a reference that a caller names to a repository that it may use and a digest. */
import { type Actor, askDatabase, authorize, quoteReference, Refused } from "#accounts/index.ts";
import type { GrantRepository } from "../access/grant.ts";
import { algorithmOf, isTag } from "../contract/names.ts";
import type { RegistryParts } from "../contract/parts.ts";
import type { Grant, Repository, Right } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";

const ACTIONS = { pull: "image.read", push: "image.write" } as const;
const SEARCHABLE = /^[\x21-\x7E]{1,100}$/;
/** A digest as the command line shows it, or longer. */
const SHORT_DIGEST = /^(?:sha256:|sha512:)[0-9a-f]{12,127}$/;

export interface ImageReading {
  open(actor: Actor, projectId: string, right: Right): Promise<Grant>;
  /** @returns the digest of an image that exists */
  resolve(repository: Repository, reference: string): Promise<string>;
  requireTag(tag: string): void;
  /** Reports the registry's refusals in the words of the API. @param field that is wrong, if any */
  translate<Result>(run: () => Promise<Result>, field: string): Promise<Result>;
}

export function createImageReading({ database }: RegistryParts, grant: GrantRepository): ImageReading {
  async function findProject(projectId: string) {
    if (!SEARCHABLE.test(projectId)) return undefined;
    return askDatabase(() =>
      database.db
        .selectFrom("projects")
        .innerJoin("organizations", "organizations.id", "projects.organization_id")
        .select(["projects.id", "projects.name", "organization_id", "organizations.name as organization"])
        .where("projects.id", "=", projectId)
        .executeTakeFirst(),
    );
  }

  return {
    async open(actor, projectId, right) {
      const row = await findProject(projectId);
      const refused = authorize(actor, ACTIONS[right], {
        name: `project ${quoteReference(projectId)}`,
        // No organization, so that a missing project is answered like another organization's.
        organizationId: row?.organization_id ?? "",
        projectId,
      });
      if (refused || !row) throw refused ?? new Refused("not_found", "the project was not found");
      return translate(() => grant({ actor, scopes: null }, `${row.organization}/${row.name}`, right));
    },
    resolve: ({ id, name }, reference) =>
      askDatabase(async () => {
        const digest = reference.includes(":")
          ? await findDigest(database, id, reference)
          : await findTag(database, id, reference);
        if (digest !== undefined) return digest;
        throw new Refused(
          "not_found",
          `${name} has no image ${quoteReference(reference)}; it was deleted, has expired, or has another name`,
        );
      }),
    requireTag(tag) {
      if (isTag(tag)) return;
      throw new Refused(
        "invalid_argument",
        'tag must have 1 to 128 letters, digits, "_", "-" and ".", and cannot begin with "-" or "."',
        { field: "tag" },
      );
    },
    translate,
  };
}

async function findTag({ db }: RegistryParts["database"], repositoryId: string, tag: string) {
  if (!isTag(tag)) return undefined;
  const row = await db
    .selectFrom("registry_tags")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .where("name", "=", tag)
    .executeTakeFirst();
  return row?.digest;
}

async function findDigest({ db }: RegistryParts["database"], repositoryId: string, reference: string) {
  const isWhole = algorithmOf(reference) !== null;
  if (!isWhole && !SHORT_DIGEST.test(reference)) return undefined;
  const rows = await db
    .selectFrom("registry_manifests")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .where("digest", ">=", reference)
    // Above all digits.
    .where("digest", "<", `${reference}~`)
    .limit(2)
    .execute();
  if (rows.length > 1)
    throw new Refused("invalid_argument", `several images begin with ${reference}; send more of the digest`, {
      field: "reference",
    });
  return rows[0]?.digest;
}

async function translate<Result>(run: () => Promise<Result>, field?: string): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    if (error.cause instanceof Refused) throw error.cause;
    const isMissing = error.code === "NAME_UNKNOWN" || error.code === "MANIFEST_UNKNOWN";
    throw new Refused(isMissing ? "not_found" : "failed_precondition", error.message, {
      ...(field !== undefined && { field }),
      cause: error,
    });
  }
}
