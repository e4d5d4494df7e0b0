/**
 * Which commits of a project have stored results, and when last: all that is known about work without a name.
 *
 *   cache_work.work   commits <hash of project and ref> 6572b0356f58 refs/heads/main
 *                     commits <hash of project>         6572b0356f58 refs/heads/main
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Actor } from "#accounts/index.ts";
import type { CacheDatabase } from "../records/schema.ts";
import { compareFacts } from "./compare-tasks.ts";
import type { Difference } from "../contract/misses.ts";
import { COMMIT_LENGTH } from "./limits.ts";

/** Claims that a job's issuer vouched for. */
export interface JobCommit {
  projectId: string;
  commit: string;
  /** "": none. */
  ref: string;
}

export interface StoredCommit extends JobCommit {
  namespaceId: string;
  /** The key of its last result. */
  key: string;
  at: number;
}

export interface EarlierCommit {
  at: number;
  differences: Difference[];
}

export function commitOf(actor: Actor): JobCommit | null {
  if (actor.kind !== "job" || !actor.projectId || !actor.claims?.sha) return null;
  const { sha, ref } = actor.claims;
  // Spaces separate the words, so a word has none.
  const word = (text: string) => text.replaceAll(/\s/g, "?");
  return { projectId: actor.projectId, commit: word(sha.slice(0, COMMIT_LENGTH)), ref: word(ref ?? "") };
}

/** For the ref, then for the project. Texts in the database start with them. */
const prefixesOf = ({ projectId, ref }: JobCommit) =>
  [[projectId, ref], [projectId]].map((parts) => {
    const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
    return `commits ${hash}`;
  });

export async function rememberCommits(
  { db }: Pick<CacheDatabase, "db">,
  commits: readonly StoredCommit[],
): Promise<void> {
  const rows = commits.flatMap((commit) =>
    prefixesOf(commit).map((prefix) => ({
      namespace_id: commit.namespaceId,
      work: `${prefix} ${commit.commit} ${commit.ref}`,
      key: commit.key,
      written_at: commit.at,
    })),
  );
  for (const row of rows)
    await db
      .insertInto("cache_work")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(["namespace_id", "work"])
          .doUpdateSet({ key: sql`excluded.key`, written_at: sql`excluded.written_at` }),
      )
      .execute();
}

/** The last other commit that stored something: on the same ref, or else in the project. */
export async function findEarlierCommit(
  { db }: Pick<CacheDatabase, "db">,
  namespaceId: string,
  job: JobCommit,
): Promise<EarlierCommit | null> {
  for (const prefix of prefixesOf(job)) {
    // "!" follows the space, so it ends the range of texts with this start.
    const own = `${prefix} ${job.commit}`;
    const row = await db
      .selectFrom("cache_work")
      .select(["work", "written_at"])
      .where("namespace_id", "=", namespaceId)
      .where("work", ">", `${prefix} `)
      .where("work", "<", `${prefix}!`)
      .where(({ or, eb }) => or([eb("work", "<", `${own} `), eb("work", ">=", `${own}!`)]))
      .orderBy("written_at", "desc")
      .limit(1)
      .executeTakeFirst();
    if (!row) continue;
    const [commit = "", ref = ""] = row.work.slice(prefix.length + 1).split(" ");
    return { at: row.written_at, differences: compareFacts(factsOf({ commit, ref }), factsOf(job)) };
  }
  return null;
}

const factsOf = ({ commit, ref }: Pick<JobCommit, "commit" | "ref">) =>
  new Map([["commit", commit], ...(ref === "" ? [] : [["ref", ref] as const])]);
