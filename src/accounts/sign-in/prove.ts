/** How a known person shows again that it is them: by an app's code, a recovery code or a passkey. */
import type { Context } from "hono";
import * as z from "zod";
import { changeRecords } from "../changes/change-records.ts";
import { askDatabase } from "../contract/database-away.ts";
import { Refused } from "../contract/refused.ts";
import { type CodeKind, type CodePurpose, giveBackTry, takeTry } from "../two-step/code-tries.ts";
import { useRecoveryCode } from "../two-step/recovery-codes.ts";
import { acceptTotp, auditSecond, readTwoStep, type SecondWay, waysOf } from "../two-step/two-step.ts";
import { tooMany } from "./admission/admission.ts";
import type { RequestGuard } from "./request-guard.ts";
import { type AnswerUse, askForAnswer, checkAnswer } from "./passkeys/answers.ts";
import { hasPasskeys } from "../contract/has-passkeys.ts";
import { passkeyAnswerSchema, type PasskeyQuestion } from "./passkeys/passkeys.ts";

const MAX_TYPED = 100;
const CODE = /^\d{6}$/;

/** Exactly one of them. */
export const proofFields = {
  code: z.string().max(MAX_TYPED).optional(),
  recoveryCode: z.string().max(MAX_TYPED).optional(),
  passkey: passkeyAnswerSchema.optional(),
};
const proofSchema = z.object(proofFields);
export type Proof = z.infer<typeof proofSchema>;

/** The person who has to prove it, and the purpose. */
export interface ProofSubject {
  userId: string;
  name: string;
  purpose: CodePurpose;
  /** The half sign-in or the session that it is for: a passkey's answer counts only there. */
  bound: string;
}

interface Ways {
  ways: SecondWay[];
  passkey: PasskeyQuestion | null;
}

export async function askForProof({ accounts }: RequestGuard, subject: ProofSubject): Promise<Ways> {
  const twoStep = await askDatabase(() => readTwoStep(accounts.db, subject.userId));
  const ways = waysOf(twoStep, hasPasskeys(accounts.origin));
  const passkey = ways.includes("passkey") ? await askForAnswer(accounts, useOf(subject)) : null;
  return { ways, passkey };
}

/** @throws Refused `invalid_argument` with the field of a wrong proof, `resource_exhausted` after too many */
export async function prove(
  guard: RequestGuard,
  context: Context,
  { subject, proof }: { subject: ProofSubject; proof: Proof },
): Promise<SecondWay> {
  const { code, recoveryCode, passkey } = proof;
  if (Object.values({ code, recoveryCode, passkey }).filter((one) => one !== undefined).length !== 1)
    throw new Refused("invalid_argument", "send one of code, recoveryCode and passkey");
  if (passkey !== undefined) {
    await guard
      .lookUp(context, { limit: "passkey", secret: null }, () =>
        checkAnswer(guard.accounts, useOf(subject), passkey),
      )
      .catch(refusePasskey);
    return "passkey";
  }
  if (code !== undefined) {
    await tryCode(guard, context, { subject, kind: "totp", code: code.replace(/[\s-]/g, "") });
    return "totp";
  }
  await tryCode(guard, context, { subject, kind: "recovery", code: recoveryCode ?? "" });
  return "recovery";
}

/** Pages treat `unauthenticated` as the end of the sign-in itself. */
function refusePasskey(error: unknown): never {
  if (!(error instanceof Refused) || error.code !== "unauthenticated") throw error;
  throw new Refused("invalid_argument", error.message, { cause: error });
}

const useOf = ({ userId, purpose, bound }: ProofSubject): AnswerUse => ({
  purpose: purpose === "sign-in" ? "passkey-second-step" : "passkey-confirm",
  bound,
  userId,
});

const WRONG: Record<CodeKind, { field: string; message: string }> = {
  totp: { field: "code", message: "this code is wrong or was already used; wait for the next code" },
  recovery: {
    field: "recoveryCode",
    message: "this is not one of your recovery codes, or it was already used",
  },
};

async function tryCode(
  guard: RequestGuard,
  context: Context,
  { subject, kind, code }: { subject: ProofSubject; kind: CodeKind; code: string },
): Promise<void> {
  const { accounts } = guard;
  const { userId, name, purpose } = subject;
  const { field, message } = WRONG[kind];
  if (kind === "totp" && !CODE.test(code))
    throw new Refused("invalid_argument", "a code from the app has six digits", { field });
  const tried = { userId, purpose, kind };
  const wait = await takeTry(accounts, tried);
  if (wait > 0) throw tooMany(context, wait);
  const author = { name, id: userId, address: guard.addressOf(context) };
  const isRight = await changeRecords(accounts, author, async (change) => {
    const { transaction } = change;
    if (kind === "totp") return acceptTotp(accounts, transaction, { userId, code });
    if (!(await useRecoveryCode(transaction, userId, code))) return false;
    const { recoveryCodesLeft } = await readTwoStep(transaction, userId);
    const details = { left: String(recoveryCodesLeft) };
    await auditSecond(change, { userId, name, action: "two-step.recovery", details });
    return true;
  });
  if (isRight) return giveBackTry(accounts, tried);
  await changeRecords(accounts, author, (change) =>
    auditSecond(change, { userId, name, action: "two-step.refuse", details: { at: purpose } }),
  );
  throw new Refused("invalid_argument", message, { field });
}
