import { inTransaction } from "#platform/database/database.ts";
import { UPLOAD_MS } from "../contract/limits.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { discardAll } from "./end.ts";
import { removeUploads } from "./rows.ts";

const EXPIRED_AT_ONCE = 100;

/** Removes uploads that were not ended in time, with their files. @returns how many */
export async function sweepUploads(
  parts: Pick<RegistryParts, "database" | "blobs" | "clock" | "log">,
  signal?: AbortSignal,
): Promise<number> {
  const { database, clock } = parts;
  let count = 0;
  for (;;) {
    const removed = await inTransaction(database, async (transaction) => {
      const rows = await transaction
        .selectFrom("registry_uploads")
        .select("id")
        .where("started_at", "<=", clock() - UPLOAD_MS)
        .limit(EXPIRED_AT_ONCE)
        .execute();
      const ids = rows.map(({ id }) => id);
      return { ids, places: await removeUploads(transaction, ids) };
    });
    await discardAll(parts, removed.places);
    count += removed.ids.length;
    if (removed.ids.length < EXPIRED_AT_ONCE || signal?.aborted) return count;
  }
}
