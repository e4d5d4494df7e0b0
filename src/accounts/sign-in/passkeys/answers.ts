/** Answers of known passkeys: to sign in, as a second step, and to confirm. An answer counts for one of these purposes only. */
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import * as z from "zod";
import type { Accounts } from "../../contract/accounts.ts";
import { askDatabase } from "../../contract/database-away.ts";
import { Refused } from "../../contract/refused.ts";
import {
  challengeOf,
  CHALLENGE_LIFETIME_MS,
  loadLibrary,
  notValid,
  overdue,
  type PasskeyAnswer,
  type PasskeyQuestion,
  refuseFrames,
  requireUnused,
  rpIdOf,
  verify,
} from "./passkeys.ts";
import { readState, signState } from "../browser/signed-state.ts";

const askedSchema = z.object({ challenge: z.string(), bound: z.string() });

export type AnswerUse =
  | { purpose: "passkey-sign-in" }
  | {
      purpose: "passkey-second-step" | "passkey-confirm";
      /** The half sign-in or the session that the answer is for. */
      bound: string;
      userId: string;
    };

export async function askForAnswer(accounts: Accounts, use: AnswerUse): Promise<PasskeyQuestion> {
  const { generateAuthenticationOptions } = await loadLibrary();
  const isSignIn = use.purpose === "passkey-sign-in";
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(accounts),
    challenge: challengeOf(accounts),
    userVerification: isSignIn ? "preferred" : "required",
    timeout: CHALLENGE_LIFETIME_MS,
    ...(!isSignIn && { allowCredentials: await listVerifying(accounts, use.userId) }),
  });
  const data: z.infer<typeof askedSchema> = { challenge: options.challenge, bound: boundOf(use) };
  return { state: signState(accounts, use.purpose, { data, lifetimeMs: CHALLENGE_LIFETIME_MS }), options };
}

export interface AnsweredPerson {
  userId: string;
  name: string;
  /** Whether the device has verified the person, as it did when it was added. */
  isVerified: boolean;
}

/** The person of the passkey. @throws Refused `unauthenticated`, `failed_precondition`, `unavailable` */
export async function checkAnswer(
  accounts: Accounts,
  use: AnswerUse,
  { state, response }: PasskeyAnswer,
): Promise<AnsweredPerson> {
  const data = readState(accounts, use.purpose, { text: state, schema: askedSchema });
  if (!data || data.bound !== boundOf(use)) throw overdue();
  const row = await findPasskey(accounts, response.id);
  if (!row)
    throw new Refused("unauthenticated", "this server does not know this passkey; it may have been deleted");
  refuseFrames(response.response.clientDataJSON);
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { authenticationInfo, verified } = await verify(() =>
    verifyAuthenticationResponse({
      // The library checks what the schema does not.
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: data.challenge,
      expectedOrigin: accounts.origin,
      expectedRPID: rpIdOf(accounts),
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, "base64url")),
        counter: row.counter,
      },
      requireUserVerification: false,
    }),
  );
  if (!verified) throw notValid();
  // Anyone who finds a key without a PIN can set one: a key that did not verify when it was added never counts as verifying.
  const isVerified = authenticationInfo.userVerified && row.verifies_user !== 0;
  if (use.purpose !== "passkey-sign-in" && (row.user_id !== use.userId || !isVerified)) throw notValid();
  await requireUnused(accounts, data.challenge);
  const updated = await askDatabase(() =>
    accounts.db
      .updateTable("passkeys")
      .set({
        counter: authenticationInfo.newCounter,
        last_used_at: accounts.clock(),
        verifies_user: isVerified ? 1 : row.verifies_user,
      })
      .where("id", "=", row.id)
      // Two simultaneous answers with one counter mean that the key was copied.
      .where("counter", "=", row.counter)
      .returning("id")
      .execute(),
  );
  if (updated.length === 0) throw notValid();
  return { userId: row.user_id, name: row.user, isVerified };
}

const boundOf = (use: AnswerUse): string => ("bound" in use ? use.bound : "");

function findPasskey({ db }: Accounts, credentialId: string) {
  return askDatabase(() =>
    db
      .selectFrom("passkeys")
      .innerJoin("users", "users.id", "passkeys.user_id")
      .selectAll("passkeys")
      .select("users.name as user")
      .where("credential_id", "=", credentialId)
      .executeTakeFirst(),
  );
}

async function listVerifying({ db }: Accounts, userId: string): Promise<{ id: string }[]> {
  const query = db
    .selectFrom("passkeys")
    .select("credential_id")
    .where("user_id", "=", userId)
    .where("verifies_user", "=", 1);
  return (await askDatabase(() => query.execute())).map((row) => ({ id: row.credential_id }));
}
