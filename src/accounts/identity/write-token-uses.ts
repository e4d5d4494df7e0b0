import { sql } from "kysely";
import { inTransaction } from "#platform/database/database.ts";
import { addEvents, type NewEvent } from "../events/add-events.ts";
import { LAST_USE_EXACT_MS } from "../contract/limits.ts";
import type { AccountDatabase, AccountTables } from "../records/schema.ts";

/** The first use of a token is an event: it ticks a step of the checklist. */
export async function writeTokenUses(
  database: AccountDatabase,
  used: readonly (readonly [id: string, address: string | null])[],
  { now, onFirstUses }: { now: number; onFirstUses: () => void },
): Promise<void> {
  const hasFirst = await inTransaction(database, async (transaction) => {
    const rows = sql.join(used.map(([id, address]) => sql`(${id}, ${address})`));
    const ids = used.map(([id]) => id);
    const firstUsed = await transaction
      .selectFrom("tokens")
      .select(["id", "type", "name", "organization_id", "project_id"])
      .where("id", "in", ids)
      .where("last_used_at", "is", null)
      .where("organization_id", "is not", null)
      .execute();
    await sql`with used (id, address) as (values ${rows})
      update tokens set last_used_at = ${now}, last_used_from = used.address from used
      where tokens.id = used.id
        and (last_used_at is null or last_used_at <= ${now - LAST_USE_EXACT_MS})`.execute(transaction);
    await addEvents(
      database.kind,
      transaction,
      firstUsed.flatMap((token) => firstUseOf(token, now)),
    );
    return firstUsed.length > 0;
  });
  if (hasFirst) onFirstUses();
}

function firstUseOf(
  token: Pick<AccountTables["tokens"], "id" | "type" | "name" | "organization_id" | "project_id">,
  time: number,
): NewEvent[] {
  const { id, type, name, organization_id, project_id } = token;
  // A job's token is always used, and its exchange is already an event.
  if (organization_id === null || type === "job") return [];
  const kind = type === "org" ? "organization" : type;
  const text = `${kind} token ${name} used for the first time`;
  const subject = { subject: id, actor: name, actor_id: id, project_id, text };
  return [{ ...subject, organization_id, time, kind: "token.use", is_refused: 0 }];
}
