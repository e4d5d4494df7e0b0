import { type Context, Hono } from "hono";
import * as z from "zod";
import type { UserActor } from "../../contract/actor.ts";
import { type Change, changeRecords } from "../../changes/change-records.ts";
import { askDatabase } from "../../contract/database-away.ts";
import { Refused } from "../../contract/refused.ts";
import { hashSecret } from "../../contract/token-text.ts";
import { replaceRecoveryCodes } from "../../two-step/recovery-codes.ts";
import { confirmSignIn, findConfirmedUntil, requireConfirmed } from "../../two-step/require-confirmed.ts";
import { findStep, newTotpSecret, totpAddress } from "../../two-step/totp.ts";
import { auditSecond, readTwoStep, turnOffTwoStep, turnOnTwoStep, waysOf } from "../../two-step/two-step.ts";
import { type RequestGuard, readBody } from "../request-guard.ts";
import { hasPasskeys } from "../../contract/has-passkeys.ts";
import { askForProof, proofFields, type ProofSubject, prove } from "../prove.ts";
import { MAX_STATE_LENGTH, readState, signState, useOnce } from "../browser/signed-state.ts";

/** From the QR code to its first code. */
const SET_UP_MS = 15 * 60_000;

const emptySchema = z.strictObject({});
const totpSchema = z.strictObject({ state: z.string().max(MAX_STATE_LENGTH), code: z.string().max(100) });
const madeSchema = z.object({ secret: z.string(), signInId: z.string() });
type Made = z.infer<typeof madeSchema>;

/** A person in a browser. */
type Browser = UserActor & { signInId: string };

/** `/auth/two-step…`, `/auth/confirm…`: for signed-in people. */
export function createTwoStepRoutes(guard: RequestGuard): Hono {
  const app = new Hono();
  app.route("/", createStateRoutes(guard));
  app.route("/", createConfirmRoutes(guard));
  app.route("/", createAppRoutes(guard));
  return app;
}

function createStateRoutes(guard: RequestGuard): Hono {
  const { accounts } = guard;
  const app = new Hono();

  app.get("/auth/two-step", async (context) => {
    const user = await requireBrowser(guard, context);
    return askDatabase(async () => {
      const { isOn, totpSince, recoveryCodesLeft, ...rest } = await readTwoStep(accounts.db, user.userId);
      const ways = waysOf({ isOn, totpSince, recoveryCodesLeft, ...rest }, hasPasskeys(accounts.origin));
      const confirmedUntil = await findConfirmedUntil(accounts, user.signInId);
      return context.json({ isOn, totpSince, recoveryCodesLeft, confirmWays: ways, confirmedUntil });
    });
  });

  app.post("/auth/two-step/passkey", async (context) => {
    const recoveryCodes = await change(guard, context, async (user, made) => {
      if ((await readTwoStep(made.transaction, user.userId)).verifyingPasskeys === 0)
        throw new Refused(
          "failed_precondition",
          "none of your passkeys verifies you; add one on a device with a PIN, a fingerprint or a face",
        );
      return turnOnTwoStep(accounts, made, { ...user, totp: null });
    });
    return context.json({ recoveryCodes });
  });

  app.post("/auth/two-step/off", async (context) => {
    await change(guard, context, (user, made) =>
      turnOffTwoStep(made, { userId: user.userId, name: user.name }),
    );
    return context.json({});
  });

  app.post("/auth/two-step/recovery-codes", async (context) => {
    const recoveryCodes = await change(guard, context, async ({ userId, name }, made) => {
      const { transaction } = made;
      if (!(await readTwoStep(transaction, userId)).isOn) throw isOff();
      await auditSecond(made, { userId, name, action: "two-step.codes" });
      return replaceRecoveryCodes(accounts, transaction, userId);
    });
    return context.json({ recoveryCodes });
  });
  return app;
}

/** The app that shows codes. */
function createAppRoutes(guard: RequestGuard): Hono {
  const { accounts } = guard;
  const app = new Hono();

  app.post("/auth/two-step/totp/begin", async (context) => {
    await readBody(guard, context, emptySchema);
    const user = await requireBrowser(guard, context);
    await requireConfirmed(accounts, user);
    const secret = newTotpSecret(accounts.randomBytes);
    const data: Made = { secret, signInId: user.signInId };
    // Apps split a label at its colon, so the host has no port.
    const { hostname: host } = new URL(accounts.origin);
    return context.json({
      state: signState(accounts, "totp", { data, lifetimeMs: SET_UP_MS }),
      secret,
      uri: totpAddress(secret, { host, person: user.mail ?? user.name }),
    });
  });

  app.post("/auth/two-step/totp", async (context) => {
    const { state, code } = await readBody(guard, context, totpSchema);
    const user = await requireBrowser(guard, context);
    await requireConfirmed(accounts, user);
    const made = readState(accounts, "totp", { text: state, schema: madeSchema });
    if (made?.signInId !== user.signInId) throw overSetUp();
    const step = findStep(made.secret, code.replace(/[\s-]/g, ""), accounts.clock());
    if (step === null)
      throw new Refused("invalid_argument", "this code is wrong; enter the code that the app shows now", {
        field: "code",
      });
    if (!(await askDatabase(() => useOnce(accounts, `totp.${hashSecret(made.secret)}`, SET_UP_MS))))
      throw overSetUp();
    const { secret } = made;
    const recoveryCodes = await changeRecords(accounts, authorOf(guard, context, user), (changed) =>
      turnOnTwoStep(accounts, changed, { ...user, totp: { secret, step } }),
    );
    await confirmSignIn(accounts, user.signInId);
    return context.json({ recoveryCodes });
  });
  return app;
}

function createConfirmRoutes(guard: RequestGuard): Hono {
  const { accounts } = guard;
  const app = new Hono();

  app.post("/auth/confirm/options", async (context) => {
    await readBody(guard, context, emptySchema);
    return context.json(await askForProof(guard, proofSubjectOf(await requireBrowser(guard, context))));
  });

  app.post("/auth/confirm", async (context) => {
    const proof = await readBody(guard, context, z.strictObject(proofFields));
    const user = await requireBrowser(guard, context);
    const way = await prove(guard, context, { subject: proofSubjectOf(user), proof });
    await changeRecords(accounts, authorOf(guard, context, user), ({ audit }) =>
      audit({
        action: "sign-in.confirm",
        organizationId: null,
        target: user.name,
        targetId: user.userId,
        details: { way, sign_in_id: user.signInId },
      }),
    );
    return context.json({ confirmedUntil: await confirmSignIn(accounts, user.signInId) });
  });
  return app;
}

/** A dangerous change of the person's own account. */
async function change<Result>(
  guard: RequestGuard,
  context: Context,
  run: (user: Browser, made: Change) => Promise<Result>,
): Promise<Result> {
  await readBody(guard, context, emptySchema);
  const user = await requireBrowser(guard, context);
  await requireConfirmed(guard.accounts, user);
  return changeRecords(guard.accounts, authorOf(guard, context, user), (made) => run(user, made));
}

async function requireBrowser(guard: RequestGuard, context: Context): Promise<Browser> {
  const user = await guard.requireUser(context);
  const { signInId } = user;
  if (signInId === null) throw new Refused("unauthenticated", "sign in first");
  return { ...user, signInId };
}

const authorOf = (guard: RequestGuard, context: Context, { name, userId }: UserActor) => ({
  name,
  id: userId,
  address: guard.addressOf(context),
});

const proofSubjectOf = ({ userId, name, signInId }: Browser): ProofSubject => ({
  userId,
  name,
  purpose: "confirm",
  bound: signInId,
});

const isOff = () => new Refused("failed_precondition", "two-step sign-in is not on");
const overSetUp = () =>
  new Refused("failed_precondition", "the setup took too long or was already used; start again", {
    field: "state",
  });
