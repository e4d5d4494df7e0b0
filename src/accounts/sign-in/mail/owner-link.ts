/** Links that the operator's command prints: `npm start`, `npm start -- owner-link`. */
import { inTransaction } from "#platform/database/database.ts";
import type { Accounts } from "../../contract/accounts.ts";
import { askDatabase } from "../../contract/database-away.ts";
import { ensureFirstOrganization } from "../../people/first-owner.ts";
import { Refused } from "../../contract/refused.ts";
import type { AccountTransaction } from "../../records/schema.ts";
import { tellOfOwnerLink } from "../../changes/tell-by-mail.ts";
import { makeLink } from "./links.ts";

const LINK_LIFETIME_MS = 3_600_000;
const MAX_NAMED = 20;

interface OwnerLink {
  url: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** The person whom it signs in; null when it makes the first owner. */
  user: string | null;
}

/**
 * Makes a link that signs an owner in, or that makes the first owner. It is valid once and for one hour, and voids the
 * previous link.
 * @param who the mail address, name or id of an owner, of any organization; absent: the first organization's oldest
 * @throws Refused `not_found` when no owner has this name, `failed_precondition` when several do; the message names them
 */
export async function makeOwnerLink(accounts: Accounts, who?: string): Promise<OwnerLink> {
  const first = await ensureFirstOrganization(accounts);
  const { userId, ...made } = await askDatabase(() =>
    inTransaction(accounts.database, async (transaction) => {
      const owners = await listOwners(transaction, first.id);
      const all = who === undefined ? owners : await listOwners(transaction);
      const owner = owners.length === 0 ? null : chooseOwner(all, who);
      const link = await makeLink(accounts, transaction, {
        kind: owner ? "owner" : "first",
        userId: owner?.id ?? null,
        lifetimeMs: LINK_LIFETIME_MS,
      });
      const url = `${accounts.origin}/app/start/${link.key}`;
      return { url, expiresAt: link.expiresAt, user: owner?.name ?? null, userId: owner?.id ?? null };
    }),
  );
  if (userId !== null) tellOfOwnerLink(accounts, userId);
  return made;
}

interface Owner {
  id: string;
  name: string;
  mail: string | null;
}

/** The oldest first, each once. @param organizationId absent: of every organization */
export function listOwners(transaction: AccountTransaction, organizationId?: string): Promise<Owner[]> {
  const owners = transaction
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["users.id", "users.name", "users.mail"])
    .where("role", "=", "owner")
    .groupBy(["users.id", "users.name", "users.mail"])
    .orderBy((row) => row.fn.min("members.created_at"))
    .orderBy("users.id");
  return (
    organizationId === undefined ? owners : owners.where("organization_id", "=", organizationId)
  ).execute();
}

function chooseOwner(owners: readonly Owner[], who: string | undefined): Owner {
  const [oldest] = owners;
  if (who === undefined && oldest) return oldest;
  const text = (who ?? "").trim().toLowerCase();
  const found = owners.filter(({ id, name, mail }) => [id, name.toLowerCase(), mail].includes(text));
  const [owner] = found;
  if (owner && found.length === 1) return owner;
  const named = (found.length > 0 ? found : owners)
    .slice(0, MAX_NAMED)
    .map(({ id, name, mail }) => `${name} (${mail ?? id})`)
    .join(", ");
  if (found.length > 1)
    throw new Refused("failed_precondition", `several owners are called ${JSON.stringify(who)}: ${named}`);
  throw new Refused("not_found", `no owner is called ${JSON.stringify(who)}; owners are ${named}`);
}
