import type { AccountDatabase } from "../records/schema.ts";
import { MAX_EXCHANGES_PER_PROJECT } from "../contract/limits.ts";

/** Leaves the project's latest exchanges that were given a token, and separately the latest refused ones, which anyone can cause. */
export async function deleteOldExchanges({ db }: AccountDatabase, projectId: string): Promise<void> {
  for (const isRefused of [0, 1] as const)
    await db
      .deleteFrom("exchanges")
      .where("project_id", "=", projectId)
      .where("is_refused", "=", isRefused)
      .where("id", "<=", (query) =>
        query
          .selectFrom("exchanges")
          .select("id")
          .where("project_id", "=", projectId)
          .where("is_refused", "=", isRefused)
          .orderBy("id", "desc")
          .limit(1)
          .offset(MAX_EXCHANGES_PER_PROJECT),
      )
      .execute();
}
