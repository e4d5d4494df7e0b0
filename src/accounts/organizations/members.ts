/** Members of an organization. */
import type { Accounts } from "../contract/accounts.ts";
import { authorOf, type Caller, type Change, changeRecords } from "../changes/change-records.ts";
import { checkRole, invalid } from "../contract/check-input.ts";
import { askDatabase } from "../contract/database-away.ts";
import { findOrganization, isSearchable } from "../changes/find-organization.ts";
import { quoteReference } from "../contract/ids.ts";
import type { OrganizationInput } from "./organizations.ts";
import { type Page, type PageInput, readPage, toPage } from "../contract/page.ts";
import { Refused } from "../contract/refused.ts";
import type { AccountTransaction, Role } from "../records/schema.ts";
import { readSignInMethods, requireWayForOwner, type SignInMethod } from "../sign-in/methods.ts";
import { findTwoStepped } from "../two-step/two-step.ts";

export interface Member {
  userId: string;
  name: string;
  mail: string | null;
  role: Role;
  /** When they joined. */
  createdAt: number;
  lastSeenAt: number | null;
  /** Each method once. Empty when the caller may not know. */
  signInMethods: readonly SignInMethod[];
  /** Whether they sign in in two steps. False when the caller may not know. */
  twoStep: boolean;
}

/** In the order of their names. */
export async function listMembers(
  accounts: Accounts,
  caller: Caller,
  input: OrganizationInput & PageInput,
): Promise<Page<Member>> {
  const page = readPage(input, "text");
  const request = { reference: input.organization, action: "member.list" } as const;
  const { id: organizationId } = await findOrganization(accounts, caller, request);
  let query = selectMembers(accounts.db, organizationId);
  if (page.after) {
    const { sort, id } = page.after;
    query = query.where((row) =>
      row.or([
        row("users.name", ">", sort),
        row.and([row("users.name", "=", sort), row("users.id", ">", id)]),
      ]),
    );
  }
  const { rows, methods, stepped } = await askDatabase(async () => {
    const found = await query.orderBy("users.name").orderBy("users.id").limit(page.limit).execute();
    const ids = maySeeMethods(
      caller,
      organizationId,
      found.map(({ userId }) => userId),
    );
    return {
      rows: found,
      methods: await readSignInMethods(accounts.db, ids),
      stepped: await findTwoStepped(accounts.db, ids),
    };
  });
  return toPage(rows, page, {
    keyOf: ({ name, userId }) => ({ sort: name, id: userId }),
    itemOf: (row) => ({
      ...row,
      signInMethods: methods.get(row.userId) ?? [],
      twoStep: stepped.has(row.userId),
    }),
  });
}

/** Changes a role. The last owner stays one. */
export async function updateMember(
  accounts: Accounts,
  caller: Caller,
  input: OrganizationInput & { userId: string; role: string },
): Promise<Member> {
  const role = checkRole(input.role);
  return changeMember(accounts, caller, { input, action: "member.update" }, async (change, row) => {
    const { transaction, audit, forget, organizationId } = change;
    const { userId } = row;
    const methods = await readSignInMethods(transaction, [userId]);
    const twoStep = (await findTwoStepped(transaction, [userId])).has(userId);
    const member = { ...row, signInMethods: methods.get(userId) ?? [], twoStep };
    if (member.role === role) return member;
    if (role === "owner") await requireWayForOwner(transaction, { userId, name: member.name });
    else await keepLastOwner(transaction, organizationId, member);
    await transaction
      .updateTable("members")
      .set({ role })
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", userId)
      .execute();
    forget(userId);
    await audit({
      action: "member.update",
      organizationId,
      target: member.name,
      targetId: userId,
      details: { role, former: member.role },
    });
    return { ...member, role };
  });
}

/** Removes a member, or the caller leaves. The last owner stays. */
export async function removeMember(
  accounts: Accounts,
  caller: Caller,
  input: OrganizationInput & { userId: string },
): Promise<void> {
  await changeMember(accounts, caller, { input, action: "member.remove" }, async (change, member) => {
    const { transaction, audit, forget, organizationId } = change;
    const { userId } = member;
    await keepLastOwner(transaction, organizationId, member);
    await transaction
      .deleteFrom("members")
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", userId)
      .execute();
    forget(userId);
    await audit({
      action: "member.remove",
      organizationId,
      target: member.name,
      targetId: userId,
      details: { role: member.role },
    });
  });
}

/** The common part of all changes of a member. @throws Refused */
export async function changeMember<Result>(
  accounts: Accounts,
  caller: Caller,
  { input, action }: { input: OrganizationInput & { userId: string }; action: MemberChange },
  run: (change: Change & { organizationId: string }, member: MemberRow) => Promise<Result>,
): Promise<Result> {
  const { userId } = input;
  if (userId === "") throw invalid("user_id", "user_id is missing");
  const request = { reference: input.organization, action, userId };
  const { id: organizationId, name } = await findOrganization(accounts, caller, request);
  return changeRecords(accounts, authorOf(caller), async (change) => {
    const member = await requireMember(change.transaction, organizationId, { userId, organization: name });
    return run({ ...change, organizationId }, member);
  });
}

type MemberChange = "member.update" | "member.remove" | "member.two-step";

/** The given people whose sign-in methods the caller may know: for owners all, for others only themselves. */
function maySeeMethods({ actor }: Caller, organizationId: string, userIds: readonly string[]): string[] {
  if (actor.kind !== "user") return [];
  const isOwner = actor.memberships.some(
    (membership) => membership.organizationId === organizationId && membership.role === "owner",
  );
  return userIds.filter((id) => isOwner || id === actor.userId);
}

type MemberRow = Omit<Member, "signInMethods" | "twoStep">;

/** @throws Refused `not_found` */
async function requireMember(
  transaction: AccountTransaction,
  organizationId: string,
  { userId, organization }: { userId: string; organization: string },
): Promise<MemberRow> {
  const wanted = isSearchable(userId) ? userId : "";
  const query = selectMembers(transaction, organizationId).where("users.id", "=", wanted);
  const member = await query.executeTakeFirst();
  if (member) return member;
  throw new Refused("not_found", `user ${quoteReference(userId)} is not a member of ${organization}`);
}

async function keepLastOwner(
  transaction: AccountTransaction,
  organizationId: string,
  { role, name }: MemberRow,
): Promise<void> {
  if (role !== "owner") return;
  const owners = await transaction
    .selectFrom("members")
    .select("user_id")
    .where("organization_id", "=", organizationId)
    .where("role", "=", "owner")
    .limit(2)
    .execute();
  if (owners.length < 2)
    throw new Refused("failed_precondition", `${name} is the last owner; make another member an owner first`);
}

function selectMembers(db: Accounts["db"] | AccountTransaction, organizationId: string) {
  return db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select([
      "users.id as userId",
      "users.name",
      "users.mail",
      "members.role",
      "members.created_at as createdAt",
      "users.last_seen_at as lastSeenAt",
    ])
    .where("members.organization_id", "=", organizationId);
}
