/** Links that let one person join. Pages accept them: `sign-in/`. */
import type { Accounts } from "../contract/accounts.ts";
import { authorOf, type Caller, changeRecords } from "../changes/change-records.ts";
import { checkMail, checkRole, invalid } from "../contract/check-input.ts";
import { askDatabase } from "../contract/database-away.ts";
import { findOrganization, isSearchable, requireAllowed } from "../changes/find-organization.ts";
import { newId, quoteReference, randomKey } from "../contract/ids.ts";
import { INVITATION_KEY_LENGTH, INVITATION_LIFETIME_MS, MAX_INVITATIONS } from "../contract/limits.ts";
import type { OrganizationInput } from "./organizations.ts";
import { type Page, type PageInput, readPage, toPage } from "../contract/page.ts";
import { Refused } from "../contract/refused.ts";
import type { Role } from "../records/schema.ts";
import { hashSecret } from "../contract/token-text.ts";

export interface Invitation {
  id: string;
  mail: string | null;
  role: Role;
  /** The inviter's name. */
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
}

/** @returns the invitation, and its link, which appears nowhere else; it is also mailed when the server can send mail */
export async function createInvitation(
  accounts: Accounts,
  caller: Caller,
  input: OrganizationInput & { mail?: string; role?: string },
): Promise<{ invitation: Invitation; url: string }> {
  const mail = input.mail ? checkMail(input.mail) : null;
  const role = input.role ? checkRole(input.role) : "member";
  const request = { reference: input.organization, action: "invitation.create" } as const;
  const { id: organizationId, name } = await findOrganization(accounts, caller, request);
  await caller.admitted?.();
  await requireRoom(accounts, organizationId);
  const author = authorOf(caller);
  const createdAt = accounts.clock();
  const expiresAt = createdAt + INVITATION_LIFETIME_MS;
  const id = newId("inv", accounts.randomBytes);
  const key = randomKey(INVITATION_KEY_LENGTH, accounts.randomBytes);
  const answer = {
    invitation: { id, mail, role, invitedBy: author.name, createdAt, expiresAt },
    url: `${accounts.origin}/app/join/${key}`,
  };
  await changeRecords(accounts, author, async ({ transaction, audit }) => {
    await transaction
      .insertInto("invitations")
      .values({
        id,
        mail,
        role,
        key_hash: hashSecret(key),
        invited_by: author.id,
        organization_id: organizationId,
        created_at: createdAt,
        expires_at: expiresAt,
      })
      .execute();
    await audit({
      action: "invitation.create",
      organizationId,
      target: mail ?? id,
      targetId: id,
      details: { role },
    });
    await caller.record?.(transaction, answer);
  });
  sendInvitation(accounts, { to: mail, organization: name, invitedBy: author.name, url: answer.url });
  return answer;
}

/** Newest first, without expired ones. */
export async function listInvitations(
  accounts: Accounts,
  caller: Caller,
  input: OrganizationInput & PageInput,
): Promise<Page<Invitation>> {
  const page = readPage(input, "number");
  const request = { reference: input.organization, action: "invitation.list" } as const;
  const { id: organizationId } = await findOrganization(accounts, caller, request);
  let query = accounts.db
    .selectFrom("invitations")
    .leftJoin("users", "users.id", "invitations.invited_by")
    .selectAll("invitations")
    .select("users.name as inviter")
    .where("organization_id", "=", organizationId)
    .where("expires_at", ">", accounts.clock());
  if (page.after) {
    const { sort, id } = page.after;
    query = query.where((row) =>
      row.or([
        row("invitations.created_at", "<", sort),
        row.and([row("invitations.created_at", "=", sort), row("invitations.id", "<", id)]),
      ]),
    );
  }
  const rows = await askDatabase(() =>
    query
      .orderBy("invitations.created_at", "desc")
      .orderBy("invitations.id", "desc")
      .limit(page.limit)
      .execute(),
  );
  return toPage(rows, page, {
    keyOf: (row) => ({ sort: row.created_at, id: row.id }),
    itemOf: ({ id, mail, role, inviter, created_at, expires_at }) => ({
      id,
      mail,
      role,
      invitedBy: inviter ?? "",
      createdAt: created_at,
      expiresAt: expires_at,
    }),
  });
}

export async function revokeInvitation(
  accounts: Accounts,
  caller: Caller,
  { invitationId }: { invitationId: string },
): Promise<void> {
  if (invitationId === "") throw invalid("invitation_id", "invitation_id is missing");
  await changeRecords(accounts, authorOf(caller), async ({ transaction, audit }) => {
    const found = isSearchable(invitationId)
      ? await transaction
          .selectFrom("invitations")
          .selectAll()
          .where("id", "=", invitationId)
          .executeTakeFirst()
      : undefined;
    const name = `invitation ${quoteReference(invitationId)}`;
    const row = requireAllowed(caller, { row: found, name, action: "invitation.revoke" }, (invitation) => ({
      organizationId: invitation.organization_id,
    }));
    await transaction.deleteFrom("invitations").where("id", "=", row.id).execute();
    await audit({
      action: "invitation.revoke",
      organizationId: row.organization_id,
      target: row.mail ?? row.id,
      targetId: row.id,
    });
  });
}

async function requireRoom({ db, clock }: Accounts, organizationId: string): Promise<void> {
  const counting = db
    .selectFrom("invitations")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("expires_at", ">", clock());
  const { count } = await askDatabase(() => counting.executeTakeFirstOrThrow());
  if (count >= MAX_INVITATIONS)
    throw new Refused(
      "resource_exhausted",
      `there are ${MAX_INVITATIONS} open invitations; revoke one first`,
    );
}

/** The answer does not wait for the mail: the link is in the answer as well. */
function sendInvitation(
  { sendMail, log }: Accounts,
  {
    to,
    organization,
    invitedBy,
    url,
  }: { to: string | null; organization: string; invitedBy: string; url: string },
): void {
  if (to === null || !sendMail) return;
  sendMail({
    to,
    subject: `Join ${organization} on Millrace`,
    text: `${invitedBy} invites you to join ${organization} on Millrace. Open this link within seven days:\n\n${url}\n\nIf you did not expect this, ignore it.\n`,
  }).catch((error: unknown) =>
    log.warn("An invitation could not be sent by mail. Share its link yourself.", { error }),
  );
}
