import { type Accounts, type Caller, noteChange } from "#accounts/index.ts";
import { inTransaction } from "#platform/database/database.ts";
import type { Removal } from "../entries/remove-entries.ts";
import { addUpChanges } from "../records/changes.ts";
import { requireRight } from "../access/require-right.ts";
import type { CacheDatabase } from "../records/schema.ts";
import { finishReset } from "./sweep.ts";
import type { Tool } from "../contract/tools.ts";

export interface RemovingOptions {
  accounts: Accounts;
  database: CacheDatabase;
  clock: () => number;
  removal: Removal;
}

/** Marked entries are removed even if the process ends early: the hourly sweep continues. @returns bytes */
export async function resetTool(options: RemovingOptions, caller: Caller, tool: Tool): Promise<number> {
  const { accounts, database, clock } = options;
  const organizationId = requireRight(caller.actor, "cache.reset", tool);
  const until = clock();
  // An overlay with a very recent write gets its row, to be marked.
  await addUpChanges(database, until);
  const marked = await inTransaction(database, (transaction) =>
    transaction
      .updateTable("cache_namespaces")
      .set({ reset_before: until })
      .where("organization_id", "=", organizationId)
      .where("tool", "=", tool)
      .returning(["id", "entries", "size_bytes"])
      .execute(),
  );
  const sum = (of: "entries" | "size_bytes") => String(marked.reduce((total, row) => total + row[of], 0));
  const details = { tool, entries: sum("entries"), bytes: sum("size_bytes") };
  await noteChange(accounts, caller, {
    action: "cache.reset",
    organizationId,
    target: tool,
    targetId: tool,
    details,
  });
  let bytes = 0;
  for (const { id } of marked) bytes += await finishReset(options, { id, until });
  return bytes;
}
