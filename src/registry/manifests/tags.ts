/** The list of tags, and tags that never move. */
import { readImmutableTags } from "#accounts/index.ts";
import { MAX_LISTED } from "../contract/limits.ts";
import type { Grant, Listed } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import type { RegistryDatabase, RegistryTransaction } from "../contract/schema.ts";

export async function listTags(
  { db }: Pick<RegistryDatabase, "db">,
  repositoryId: string,
  { limit = MAX_LISTED, last = "" }: { limit?: number | undefined; last?: string | undefined },
): Promise<Listed<string>> {
  const most = Math.min(limit, MAX_LISTED);
  if (most === 0) return { items: [], hasMore: false };
  const rows = await db
    .selectFrom("registry_tags")
    .select("name")
    .where("repository_id", "=", repositoryId)
    .where("name", ">", last)
    .orderBy("name")
    .limit(most + 1)
    .execute();
  return { items: rows.slice(0, most).map(({ name }) => name), hasMore: rows.length > most };
}

/** @returns the first pattern that the tag matches; a `*` matches any characters */
export function immutablePatternOf(tag: string, patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => matches(tag, pattern));
}

/** Without backtracking, so that no pattern takes long. */
function matches(tag: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return tag === pattern;
  if (!tag.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = tag.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return tag.length - last.length >= at && tag.endsWith(last);
}

/**
 * The last saved patterns count, even if another server saved them a moment ago.
 * @throws RegistryError DENIED for a tag that must not change
 */
export async function refuseImmutable(
  transaction: RegistryTransaction,
  { repository }: Grant,
  { tags, does }: { tags: readonly string[]; does: "moved" | "deleted" | "changed" },
): Promise<void> {
  if (tags.length === 0 || repository.projectId === null) return;
  const project = await transaction
    .selectFrom("projects")
    .select("immutable_tags")
    .where("id", "=", repository.projectId)
    .executeTakeFirst();
  const patterns = project ? readImmutableTags(project.immutable_tags) : [];
  for (const tag of tags) {
    const pattern = immutablePatternOf(tag, patterns);
    if (pattern === undefined) continue;
    throw new RegistryError(
      "DENIED",
      `${repository.name}:${tag} cannot be ${does}: tags like ${pattern} never change in this project. ` +
        "Choose another tag, or change the project's immutable tags: millrace projects update --immutable-tags",
      { detail: { tag, pattern } },
    );
  }
}
