/** Records a client's request before its builder gets it. */
import { askDatabase } from "#accounts/index.ts";
import { inTransaction, isDuplicate } from "#platform/database/database.ts";
import type { BuildParts } from "../contract/parts.ts";
import { joinPlatforms } from "../contract/join-platforms.ts";
import { type BuildRow, readDetails } from "./read-build.ts";
import { mergeInputs, type SolveInputs } from "./read-inputs.ts";

type Parts = Pick<BuildParts, "database" | "changes" | "server">;

export interface Asked {
  said: SolveInputs;
  /** Platforms of the build's builders. */
  platforms: readonly string[];
  /** The solve that begins; absent: a request to a frontend within a solve. */
  solve?: { platform: string; ref: string };
}

/** @throws Error for the client when the solve's ref is taken */
export async function writeInputs(
  { database, changes, server }: Parts,
  { id, project_id: projectId }: BuildRow,
  { said, platforms, solve }: Asked,
): Promise<void> {
  const write = inTransaction(database, async (transaction) => {
    if (solve) {
      await transaction
        .insertInto("build_refs")
        .values({ build_id: id, project_id: projectId, ...solve })
        .execute();
      await transaction
        .insertInto("build_kept_logs")
        .values({ build_id: id, server })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    const current = await transaction
      .selectFrom("builds")
      .select(["details", "commit_sha", "revision", "search_text"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const details = readDetails(current);
    const inputs = mergeInputs(details.inputs, said.inputs);
    const commit = current.commit_sha || said.commitSha;
    const isFound = commit !== current.commit_sha;
    await transaction
      .updateTable("builds")
      .set({
        target: inputs.target,
        commit_sha: commit,
        search_text: isFound ? `${current.search_text} ${commit}` : current.search_text,
        platforms: joinPlatforms(platforms),
        details: JSON.stringify({
          ...details,
          inputs,
          withoutCache: said.withoutCache ?? details.withoutCache,
        }),
        revision: current.revision + 1,
      })
      .where("id", "=", id)
      .execute();
  });
  await askDatabase(() => write).catch((error: unknown) => {
    if (solve && isDuplicate(error))
      throw new Error(`The name ${solve.ref} was already used for a solve; choose another.`);
    throw error;
  });
  changes.notify(id);
}
