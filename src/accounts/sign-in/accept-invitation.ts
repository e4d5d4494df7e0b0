/** Accepting an invitation. The organization's owners make and revoke them through the API. */
import type { Accounts } from "../contract/accounts.ts";
import type { Change } from "../changes/change-records.ts";
import { askDatabase } from "../contract/database-away.ts";
import { Refused } from "../contract/refused.ts";
import type { Role } from "../records/schema.ts";
import { requireWayForOwner } from "./methods.ts";
import { hashSecret } from "../contract/token-text.ts";
import { addMember } from "../people/users.ts";

const MAX_KEY_LENGTH = 100;

export interface FoundInvitation {
  id: string;
  hash: string;
  organizationId: string;
  organization: string;
  role: Role;
  mail: string | null;
  /** The inviter's name; null when they are gone. */
  invitedBy: string | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** @throws Refused `not_found`, `failed_precondition` when it has ended, `unavailable` */
export async function requireInvitation(accounts: Accounts, key: string): Promise<FoundInvitation> {
  const hash = hashSecret(key.slice(0, MAX_KEY_LENGTH));
  const row = await askDatabase(() =>
    accounts.db
      .selectFrom("invitations")
      .innerJoin("organizations", "organizations.id", "invitations.organization_id")
      .leftJoin("users", "users.id", "invitations.invited_by")
      .selectAll("invitations")
      .select(["organizations.name as organization", "users.name as inviter"])
      .where("invitations.key_hash", "=", hash)
      .executeTakeFirst(),
  );
  if (!row) throw new Refused("not_found", "this invitation is unknown; it was used or revoked");
  if (row.expires_at <= accounts.clock())
    throw new Refused("failed_precondition", "this invitation has expired; ask for a new one");
  const { id, organization, role, mail } = row;
  const invitation = { id, hash, organization, role, mail, invitedBy: row.inviter };
  return { ...invitation, organizationId: row.organization_id, expiresAt: row.expires_at };
}

/**
 * Makes a person a member, within a change. An invitation works once; a person who is already a member uses it up, and keeps
 * their role.
 */
export async function acceptInvitation(
  accounts: Accounts,
  { transaction, audit, forget }: Change,
  { invitation, userId, name }: { invitation: FoundInvitation; userId: string; name: string },
): Promise<void> {
  const { id, organizationId, organization, role } = invitation;
  const used = await transaction
    .deleteFrom("invitations")
    .where("id", "=", id)
    .where("key_hash", "=", invitation.hash)
    .where("expires_at", ">", accounts.clock())
    .returning("id")
    .execute();
  if (used.length === 0) throw new Refused("not_found", "this invitation was just used or revoked");
  if (role === "owner") await requireWayForOwner(transaction, { userId, name });
  await addMember(accounts, transaction, { organizationId, userId, role });
  const details = { invitation_id: id, organization, role };
  await audit({ action: "invitation.accept", organizationId, target: name, targetId: userId, details });
  forget(userId);
}
