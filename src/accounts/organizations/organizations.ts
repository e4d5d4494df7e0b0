/** Organizations. Only the server's operators make them. */
import type { Accounts } from "../contract/accounts.ts";
import type { Actor } from "../contract/actor.ts";
import { authorize, selfOf } from "../contract/authorize.ts";
import { authorOf, type Caller, changeRecords, refuseDuplicate } from "../changes/change-records.ts";
import { checkOrganizationName, invalid } from "../contract/check-input.ts";
import { askDatabase } from "../contract/database-away.ts";
import { findOrganization, type FoundOrganization } from "../changes/find-organization.ts";
import { newId } from "../contract/ids.ts";
import { MAX_ORGANIZATIONS } from "../contract/limits.ts";
import { type Page, type PageInput, readPage, toPage } from "../contract/page.ts";
import { Refused } from "../contract/refused.ts";
import type { Role } from "../records/schema.ts";
import { addMember } from "../people/users.ts";

export interface Organization {
  id: string;
  name: string;
  /** The caller's; null for an organization's token. */
  role: Role | null;
  createdAt: number;
}

/** The organization's name or id; absent or empty: the one that the call acts in. */
export interface OrganizationInput {
  organization?: string;
}

/** The caller becomes its owner. */
export async function createOrganization(
  accounts: Accounts,
  caller: Caller,
  input: { name: string },
): Promise<Organization> {
  const { actor } = caller;
  const refused = authorize(actor, "organization.create", { name: "the server", organizationId: null });
  if (refused) throw refused;
  if (actor.kind !== "user") throw new Refused("permission_denied", "only a person may create organizations");
  await caller.admitted?.();
  const name = checkOrganizationName(input.name);
  const counting = accounts.db
    .selectFrom("organizations")
    .select((row) => row.fn.countAll<number>().as("count"));
  const { count } = await askDatabase(() => counting.executeTakeFirstOrThrow());
  if (count >= MAX_ORGANIZATIONS)
    throw new Refused("resource_exhausted", `there are ${MAX_ORGANIZATIONS} organizations; delete one first`);
  const row = { id: newId("org", accounts.randomBytes), name, is_first: null, created_at: accounts.clock() };
  return changeRecords(accounts, authorOf(caller), async ({ transaction, audit, forget }) => {
    const adding = transaction.insertInto("organizations").values(row).execute();
    await refuseDuplicate(adding, `organization ${name} already exists; choose another name`, "name");
    await addMember(accounts, transaction, { organizationId: row.id, userId: actor.userId, role: "owner" });
    await audit({ action: "organization.create", organizationId: row.id, target: name, targetId: row.id });
    forget(actor.userId);
    const organization: Organization = { id: row.id, name, role: "owner", createdAt: row.created_at };
    await caller.record?.(transaction, organization);
    return organization;
  });
}

export async function getOrganization(
  accounts: Accounts,
  caller: Caller,
  input: OrganizationInput,
): Promise<Organization> {
  const request = { reference: input.organization, action: "organization.read" } as const;
  return organizationOf(await findOrganization(accounts, caller, request), caller.actor);
}

/** The caller's organizations, in the order of their names. */
export async function listOrganizations(
  accounts: Accounts,
  caller: Caller,
  input: PageInput,
): Promise<Page<Organization>> {
  const { actor } = caller;
  const page = readPage(input, "text");
  const refused = authorize(actor, "organization.list", selfOf(actor));
  if (refused) throw refused;
  const own =
    actor.kind === "user"
      ? actor.memberships.map(({ organizationId }) => organizationId)
      : [actor.organizationId];
  if (own.length === 0) return { items: [], nextPageToken: "" };
  let query = accounts.db.selectFrom("organizations").selectAll().where("id", "in", own);
  if (page.after) query = query.where("name", ">", page.after.sort);
  const rows = await askDatabase(() => query.orderBy("name").limit(page.limit).execute());
  return toPage(rows, page, {
    keyOf: ({ name, id }) => ({ sort: name, id }),
    itemOf: (row) => organizationOf(row, actor),
  });
}

/** Renames it. */
export async function updateOrganization(
  accounts: Accounts,
  caller: Caller,
  input: OrganizationInput & { name?: string | undefined },
): Promise<Organization> {
  const request = { reference: input.organization, action: "organization.update" } as const;
  const found = await findOrganization(accounts, caller, request);
  if (input.name === undefined || input.name === found.name) return organizationOf(found, caller.actor);
  const name = checkOrganizationName(input.name);
  return changeRecords(accounts, authorOf(caller), async ({ transaction, audit, forget }) => {
    const updating = transaction
      .updateTable("organizations")
      .set({ name })
      .where("id", "=", found.id)
      .returningAll()
      .executeTakeFirst();
    const row = await refuseDuplicate(
      updating,
      `organization ${name} already exists; choose another name`,
      "name",
    );
    if (!row) throw new Refused("not_found", `organization ${found.name} was not found`);
    forget(found.id);
    const details = { name, former: found.name };
    await audit({
      action: "organization.update",
      organizationId: found.id,
      target: name,
      targetId: found.id,
      details,
    });
    return organizationOf(row, caller.actor);
  });
}

/** Deletes it with everything that belongs to it. Its last event is in the audit log of the server's first organization. */
export async function deleteOrganization(
  accounts: Accounts,
  caller: Caller,
  input: { organization: string },
): Promise<void> {
  if (input.organization === "") throw invalid("organization", "organization is missing");
  const request = { reference: input.organization, action: "organization.delete" } as const;
  const { id, name, is_first } = await findOrganization(accounts, caller, request);
  if (is_first === 1)
    throw new Refused(
      "failed_precondition",
      `${name} is the server's first organization and cannot be deleted`,
    );
  await changeRecords(accounts, authorOf(caller), async ({ transaction, audit, forget }) => {
    const deleted = await transaction
      .deleteFrom("organizations")
      .where("id", "=", id)
      .returning("id")
      .execute();
    if (deleted.length === 0) throw new Refused("not_found", `organization ${name} was not found`);
    const first = await transaction
      .selectFrom("organizations")
      .select("id")
      .where("is_first", "=", 1)
      .executeTakeFirst();
    forget(id);
    await audit({
      action: "organization.delete",
      organizationId: first?.id ?? null,
      target: name,
      targetId: id,
    });
  });
}

function organizationOf(
  { id, name, created_at }: Omit<FoundOrganization, "is_first">,
  actor: Actor,
): Organization {
  const membership =
    actor.kind === "user" ? actor.memberships.find(({ organizationId }) => organizationId === id) : undefined;
  return { id, name, role: membership?.role ?? null, createdAt: created_at };
}
