import { type Context, Hono } from "hono";
import * as z from "zod";
import { type Change, changeRecords, refuseDuplicate } from "../../changes/change-records.ts";
import { checkMail, checkName } from "../../contract/check-input.ts";
import { Refused } from "../../contract/refused.ts";
import { createUser } from "../../people/users.ts";
import { describeBrowser } from "../browser/browser-name.ts";
import { type RequestGuard, readBody } from "../request-guard.ts";
import { enter, type Entered, readBrowser, sendEntered } from "../enter.ts";
import { acceptInvitation, type FoundInvitation, requireInvitation } from "../accept-invitation.ts";
import type { MailLinks } from "../mail/mail-links.ts";
import { addPasskey, checkNew } from "../passkeys/passkeys.ts";
import { personFields } from "../person-fields.ts";

const NEXT = "/app";
/** Empty for a signed-in person. */
const joinSchema = z.strictObject(personFields);
type Join = z.infer<typeof joinSchema>;

/** `/auth/invitation/:key` */
export function createJoinRoutes(guard: RequestGuard, mailLinks: MailLinks | null): Hono {
  const { accounts } = guard;
  const app = new Hono();

  app.get("/auth/invitation/:key", async (context) => {
    const key = context.req.param("key");
    const invitation = await guard.lookUp(context, { limit: "link", secret: key }, () =>
      requireInvitation(accounts, key),
    );
    const { organization, role, mail } = invitation;
    const expires_at = new Date(invitation.expiresAt).toISOString();
    return context.json({ organization, role, mail, invited_by: invitation.invitedBy, expires_at });
  });

  app.post("/auth/invitation/:key", async (context) => {
    const key = context.req.param("key");
    const body = await readBody(guard, context, joinSchema);
    const invitation = await guard.lookUp(context, { limit: "link", secret: key }, () =>
      requireInvitation(accounts, key),
    );
    const user = await guard.readUser(context);
    if (user) {
      const author = { name: user.name, id: user.userId, address: guard.addressOf(context) };
      await changeRecords(accounts, author, (change) =>
        acceptInvitation(accounts, change, { invitation, ...user }),
      );
      return context.json({ next: NEXT });
    }
    await joinAsNew(context, invitation, body);
    return context.json({ next: NEXT });
  });

  async function joinAsNew(context: Context, invitation: FoundInvitation, body: Join): Promise<void> {
    const name = checkName(body.name ?? "", "name");
    const mail = body.mail ? checkMail(body.mail) : invitation.mail;
    const use = { for: "join" as const, bound: invitation.hash };
    const passkey = body.passkey ? await checkNew(accounts, use, body.passkey) : null;
    const from = readBrowser(guard, context);
    // The person has no id yet.
    const author = { name, id: invitation.id, address: from.address };
    let joined = "";
    const join = async (change: Change): Promise<Entered> => {
      const { transaction } = change;
      const isMailVerified = mail !== null && mail === invitation.mail;
      const userId = await createUser(accounts, transaction, { name, mail, isMailVerified });
      await acceptInvitation(accounts, change, { invitation, userId, name });
      if (passkey) {
        const called = describeBrowser(context.req.header("user-agent"));
        const adding = addPasskey(accounts, transaction, { userId, name: called, passkey });
        await refuseDuplicate(adding, "this passkey belongs to someone else here", "passkey");
      }
      joined = userId;
      const isVerified = passkey?.isVerified === true;
      const entry = { userId, name, method: "invitation" as const, isVerified };
      return enter(accounts, change, { entry, from });
    };
    sendEntered(context, accounts, await changeRecords(accounts, author, join).catch(explainMail), NEXT);
    if (mail !== null && mail !== invitation.mail) mailLinks?.prove(context, { userId: joined, mail });
  }
  return app;
}

/** A person who is here already signs in first; the invitation stays valid. */
function explainMail(error: unknown): never {
  if (error instanceof Refused && error.code === "already_exists" && error.field === "mail")
    throw new Refused(
      "already_exists",
      `${error.message}; if it is yours, sign in and open this link again`,
      {
        field: "mail",
        cause: error,
      },
    );
  throw error;
}
