import type { AccountDatabase } from "../schema.ts";
import { MAX_EXCHANGES_PER_PROJECT } from "../limits.ts";

/** Leaves the project's latest. */
export async function deleteOldExchanges({ db }: AccountDatabase, projectId: string): Promise<void> {
  await db
    .deleteFrom("exchanges")
    .where("project_id", "=", projectId)
    .where("id", "<=", (query) =>
      query
        .selectFrom("exchanges")
        .select("id")
        .where("project_id", "=", projectId)
        .orderBy("id", "desc")
        .limit(1)
        .offset(MAX_EXCHANGES_PER_PROJECT),
    )
    .execute();
}
