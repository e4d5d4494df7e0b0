import type { Accounts } from "../contract/accounts.ts";
import { type Action, authorize, notFound } from "../contract/authorize.ts";
import type { Caller } from "./change-records.ts";
import { askDatabase } from "../contract/database-away.ts";
import { quoteReference } from "../contract/ids.ts";
import { MAX_REFERENCE_LENGTH } from "../contract/limits.ts";
import { Refused } from "../contract/refused.ts";

export interface FoundOrganization {
  id: string;
  name: string;
  is_first: 1 | null;
  created_at: number;
}

/**
 * The organization that a request names, by name or id, or the one that the call acts in; and whether the caller may
 * do the action there.
 * @throws Refused
 */
export async function findOrganization(
  accounts: Accounts,
  { actor }: Caller,
  { reference, action, userId }: { reference?: string | undefined; action: Action; userId?: string },
): Promise<FoundOrganization> {
  const wanted = reference || actor.organizationId;
  if (!wanted)
    throw new Refused("not_found", "you belong to no organization; ask an owner for an invitation");
  const name = `organization ${quoteReference(wanted)}`;
  const row = await askDatabase(async () =>
    isSearchable(wanted)
      ? accounts.db
          .selectFrom("organizations")
          .selectAll()
          .where((column) => column.or([column("id", "=", wanted), column("name", "=", wanted)]))
          .executeTakeFirst()
      : undefined,
  );
  if (!row) throw new Refused("not_found", `${name} was not found`);
  const resource = { name, organizationId: row.id, ...(userId !== undefined && { userId }) };
  const refused = authorize(actor, action, resource);
  // The message is the same as above, although the organization exists.
  if (refused?.code === "not_found") throw new Refused("not_found", `${name} was not found`);
  if (refused) throw refused;
  return row;
}

/** The id of the organization that the call acts in, for objects created or listed there. */
export function requireOrganization({ actor }: Caller, action: Action): string {
  const { organizationId } = actor;
  if (organizationId === null)
    throw new Refused("not_found", "you belong to no organization; ask an owner for an invitation");
  const refused = authorize(actor, action, { name: `organization ${organizationId}`, organizationId });
  if (refused) throw refused;
  return organizationId;
}

/** Whether a text could be an id or a name; other texts are not looked up. */
export function isSearchable(reference: string): boolean {
  return reference.length <= MAX_REFERENCE_LENGTH && /^[\x21-\x7E]+$/.test(reference);
}

/** The result of `find`, unless there is none or the caller may not know it. */
export function requireAllowed<Row>(
  { actor }: Caller,
  found: { row: Row | undefined; name: string; action: Action },
  ownerOf: (row: Row) => { organizationId: string | null; projectId?: string; userId?: string | null },
): Row {
  const { row, name, action } = found;
  if (row === undefined) throw notFound(actor, name);
  const refused = authorize(actor, action, { name, ...ownerOf(row) });
  if (refused) throw refused;
  return row;
}
