/** Tasks whose inputs no client has sent: facts about the two builds that wrote their results. */
import type { CacheDatabase } from "../records/schema.ts";
import type { Difference } from "../contract/misses.ts";
import { compareValues } from "./difference.ts";
import { COMMIT_LENGTH } from "./limits.ts";

export type Facts = ReadonlyMap<string, string>;

/** The most informative first. */
const KINDS = ["Gradle", "operating system", "commit", "uncommitted changes", "ref", "written by"];

export function compareFacts(before: Facts, after: Facts): Difference[] {
  const single = (value: string | undefined) => new Map(value === undefined ? [] : [["", value]]);
  return KINDS.flatMap((kind) => compareValues(kind, single(before.get(kind)), single(after.get(kind))));
}

/** The writer of an entry: a job by its commit and ref, everyone else by name. */
export async function findWriterFacts(
  { db }: CacheDatabase,
  namespaceId: string,
  key: string,
): Promise<Map<string, string>> {
  const writer = await db
    .selectFrom("cache_entries as entry")
    .innerJoin("cache_writers as writer", "writer.id", "entry.writer_id")
    .select(["writer.name", "writer.commit_sha", "writer.ref"])
    .where("entry.namespace_id", "=", namespaceId)
    .where("entry.key", "=", key)
    .executeTakeFirst();
  const facts = new Map<string, string>();
  if (!writer) return facts;
  if (writer.commit_sha !== null) facts.set("commit", writer.commit_sha.slice(0, COMMIT_LENGTH));
  if (writer.ref === null) facts.set("written by", writer.name);
  else facts.set("ref", writer.ref);
  return facts;
}
