import { Hono } from "hono";
import * as z from "zod";
import { changeRecords, refuseDuplicate } from "../../changes/change-records.ts";
import { checkName } from "../../contract/check-input.ts";
import { MAX_NAME_LENGTH } from "../../contract/limits.ts";
import { hasPasskeys } from "../../contract/has-passkeys.ts";
import { Refused } from "../../contract/refused.ts";
import { confirmSignIn, requireConfirmed } from "../../two-step/require-confirmed.ts";
import { type RequestGuard, readBody } from "../request-guard.ts";
import { enter, readBrowser, sendEntered } from "../enter.ts";
import { requireInvitation } from "../accept-invitation.ts";
import { requireLink } from "../mail/links.ts";
import { askForAnswer, checkAnswer } from "../passkeys/answers.ts";
import {
  addPasskey,
  askForNew,
  checkNew,
  passkeyAnswerSchema,
  type PasskeyUse,
} from "../passkeys/passkeys.ts";
import { safeNext } from "../safe-next.ts";

const name = z.string().max(MAX_NAME_LENGTH * 4);
const key = z.string().max(100);
const optionsSchema = z.discriminatedUnion("for", [
  z.strictObject({ for: z.literal("sign-in") }),
  z.strictObject({ for: z.literal("add") }),
  z.strictObject({ for: z.literal("start"), key, name }),
  z.strictObject({ for: z.literal("join"), key, name }),
]);
const signInSchema = passkeyAnswerSchema.extend({ next: z.string().optional() });
const addSchema = passkeyAnswerSchema.extend({ name });

const SIGN_IN = { purpose: "passkey-sign-in" } as const;

/** `/auth/passkey…` */
export function createPasskeyRoutes(guard: RequestGuard): Hono {
  const { accounts } = guard;
  const app = new Hono();

  // Options cost only a signature: a request for them takes nothing from other callers.
  app.post("/auth/passkey/options", async (context) => {
    const body = await readBody(guard, context, optionsSchema);
    if (!hasPasskeys(accounts.origin))
      throw new Refused("failed_precondition", "passkeys need HTTPS and a host name, or http://localhost");
    if (body.for === "sign-in") return context.json(await askForAnswer(accounts, SIGN_IN));
    if (body.for === "add") {
      const user = await guard.requireUser(context);
      await requireConfirmed(accounts, user);
      const use: PasskeyUse = { for: "add", bound: user.userId };
      const isOwner = user.memberships.some(({ role }) => role === "owner");
      const person = { name: user.mail ?? user.name, userId: user.userId, isOwner };
      return context.json(await askForNew(accounts, use, person));
    }
    const { hash: bound, role } = await guard.lookUp(
      context,
      { limit: "link", secret: body.key },
      async () =>
        body.for === "start"
          ? { ...(await requireLink(accounts, body.key, ["first"])), role: "owner" }
          : requireInvitation(accounts, body.key),
    );
    const person = { name: checkName(body.name, "name"), userId: null, isOwner: role === "owner" };
    return context.json(await askForNew(accounts, { for: body.for, bound }, person));
  });

  app.post("/auth/passkey/sign-in", async (context) => {
    const { next, ...answer } = await readBody(guard, context, signInSchema);
    const person = await guard.lookUp(context, { limit: "passkey", secret: null }, () =>
      checkAnswer(accounts, SIGN_IN, answer),
    );
    const from = readBrowser(guard, context);
    const author = { name: person.name, id: person.userId, address: from.address };
    const entered = await changeRecords(accounts, author, (change) =>
      enter(accounts, change, { entry: { ...person, method: "passkey" }, from }),
    );
    return context.json({ next: sendEntered(context, accounts, entered, safeNext(next)) });
  });

  app.post("/auth/passkey", async (context) => {
    const { name: given, ...answer } = await readBody(guard, context, addSchema);
    const user = await guard.requireUser(context);
    await requireConfirmed(accounts, user);
    await guard.admit(context, "passkey");
    const called = checkName(given, "name");
    const passkey = await checkNew(accounts, { for: "add", bound: user.userId }, answer);
    const author = { name: user.name, id: user.userId, address: guard.addressOf(context) };
    const id = await changeRecords(accounts, author, async ({ transaction, audit }) => {
      const adding = addPasskey(accounts, transaction, { userId: user.userId, name: called, passkey });
      const added = await refuseDuplicate(adding, "this passkey was already added", "response");
      const { organizationId } = user;
      await audit({ action: "passkey.create", organizationId, target: called, targetId: added });
      return added;
    });
    if (passkey.isVerified && user.signInId !== null) await confirmSignIn(accounts, user.signInId);
    return context.json({ id, name: called });
  });
  return app;
}
