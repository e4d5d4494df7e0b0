import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Accounts } from "../../contract/accounts.ts";
import { type Change, changeRecords, refuseDuplicate } from "../../changes/change-records.ts";
import { checkMail, checkName, checkOrganizationName } from "../../contract/check-input.ts";
import { askDatabase } from "../../contract/database-away.ts";
import { ensureFirstOrganization } from "../../people/first-owner.ts";
import { MAX_ORGANIZATION_NAME_LENGTH } from "../../contract/limits.ts";
import { Refused } from "../../contract/refused.ts";
import { addMember, createUser } from "../../people/users.ts";
import { describeBrowser } from "../browser/browser-name.ts";
import { type RequestGuard, readBody } from "../request-guard.ts";
import { enter, readBrowser, sendEntered } from "../enter.ts";
import { consumeLink, findLink, type FoundLink, requireLink } from "../mail/links.ts";
import type { MailLinks } from "../mail/mail-links.ts";
import { listOwners } from "../mail/owner-link.ts";
import { addPasskey, checkNew } from "../passkeys/passkeys.ts";
import { personFields } from "../person-fields.ts";

const NEXT = "/app";
/** Empty for a link that signs an owner in. */
const startSchema = z.strictObject({
  organization: z
    .string()
    .max(MAX_ORGANIZATION_NAME_LENGTH * 4)
    .optional(),
  ...personFields,
});
type Start = z.infer<typeof startSchema>;

/** `/auth/start/:key`: the links that the server prints. */
export function createStartRoutes(guard: RequestGuard, mailLinks: MailLinks | null): Hono {
  const { accounts } = guard;
  const app = new Hono();

  app.get("/auth/start/:key", async (context) => {
    const key = context.req.param("key");
    const link = await guard.lookUp(context, { limit: "link", secret: key }, () => findLink(accounts, key));
    if (!link || link.kind === "mail") return context.json({ state: "unknown" });
    if (link.state === "used")
      return context.json({
        state: "used",
        used_at: new Date(link.usedAt ?? 0).toISOString(),
        used_from: link.usedFrom,
      });
    if (link.state === "expired") return context.json({ state: "expired" });
    if (link.kind === "owner")
      return context.json({ state: "ready", name: await nameOf(accounts, link.userId ?? "") });
    const first = await askDatabase(() => ensureFirstOrganization(accounts));
    // Someone has become the owner in another way.
    if (first.hasOwner) return context.json({ state: "expired" });
    return context.json({ state: "first", organization: await organizationOf(accounts, first.id) });
  });

  app.post("/auth/start/:key", async (context) => {
    const key = context.req.param("key");
    const body = await readBody(guard, context, startSchema);
    const link = await guard.lookUp(context, { limit: "link", secret: key }, () =>
      requireLink(accounts, key, ["first", "owner"]),
    );
    if (link.kind === "owner") return context.json({ next: await returnOwner(guard, context, link) });
    const { userId, mail } = await begin(guard, context, { link, body });
    if (mail) mailLinks?.prove(context, { userId, mail });
    return context.json({ next: NEXT });
  });

  return app;
}

/** @returns where the browser continues */
async function returnOwner(
  guard: RequestGuard,
  context: Context,
  { hash, userId }: FoundLink,
): Promise<string> {
  const { accounts } = guard;
  const from = readBrowser(guard, context);
  const owner = { userId: userId ?? "", name: await nameOf(accounts, userId ?? "") };
  const author = { name: owner.name, id: owner.userId, address: from.address };
  const entered = await changeRecords(accounts, author, async (change) => {
    await consumeLink(accounts, change.transaction, { hash, address: from.address });
    return enter(accounts, change, { entry: { ...owner, method: "owner link" }, from });
  });
  return sendEntered(context, accounts, entered, NEXT);
}

/** The first owner names the organization and themself. */
async function begin(
  guard: RequestGuard,
  context: Context,
  { link: { hash }, body }: { link: FoundLink; body: Start },
): Promise<{ userId: string; mail: string | null }> {
  const { accounts } = guard;
  const organization = checkOrganizationName(body.organization ?? "");
  const name = checkName(body.name ?? "", "name");
  const mail = body.mail ? checkMail(body.mail) : null;
  const use = { for: "start" as const, bound: hash };
  const passkey = body.passkey ? await checkNew(accounts, use, body.passkey) : null;
  const first = await askDatabase(() => ensureFirstOrganization(accounts));
  const from = readBrowser(guard, context);
  const author = { name, id: first.id, address: from.address };
  const { owner, entered } = await changeRecords(accounts, author, async (change) => {
    const { transaction } = change;
    await consumeLink(accounts, transaction, { hash, address: from.address });
    if ((await listOwners(transaction, first.id)).length > 0)
      throw new Refused("failed_precondition", "this server already has an owner; ask for an owner link");
    await renameFirst(change, { organizationId: first.id, organization });
    const userId = await createUser(accounts, transaction, { name, mail, isMailVerified: false });
    await addMember(accounts, transaction, { organizationId: first.id, userId, role: "owner" });
    if (passkey) {
      const called = describeBrowser(context.req.header("user-agent"));
      const adding = addPasskey(accounts, transaction, { userId, name: called, passkey });
      await refuseDuplicate(adding, "this passkey belongs to someone else here", "passkey");
    }
    const isVerified = passkey !== null;
    const entry = { userId, name, method: "first start" as const, isVerified };
    return { owner: userId, entered: await enter(accounts, change, { entry, from }) };
  });
  sendEntered(context, accounts, entered, NEXT);
  return { userId: owner, mail };
}

async function renameFirst(
  { transaction, audit, forget }: Change,
  { organizationId, organization }: { organizationId: string; organization: string },
): Promise<void> {
  const renaming = transaction
    .updateTable("organizations")
    .set({ name: organization })
    .where("id", "=", organizationId)
    .execute();
  await refuseDuplicate(renaming, `another organization is called ${organization}`, "organization");
  const target = { target: organization, targetId: organizationId };
  await audit({
    action: "organization.update",
    organizationId,
    ...target,
    details: { name: organization },
  });
  forget(organizationId);
}

async function nameOf(accounts: Accounts, userId: string): Promise<string> {
  const query = accounts.db.selectFrom("users").select("name").where("id", "=", userId);
  return (await askDatabase(() => query.executeTakeFirst()))?.name ?? "";
}

async function organizationOf(accounts: Accounts, id: string): Promise<string> {
  const query = accounts.db.selectFrom("organizations").select("name").where("id", "=", id);
  return (await askDatabase(() => query.executeTakeFirst()))?.name ?? "";
}
