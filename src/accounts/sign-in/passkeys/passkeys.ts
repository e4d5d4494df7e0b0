/**
 * Passkeys: WebAuthn Level 3, with keys that the device can find on its own (resident).
 *
 *   options ─► { state, options }       the state is signed and holds the challenge, for five minutes
 *   response + state ─► checked         a challenge works once, on all replicas (`useOnce`)
 *
 * A stolen response is worthless: its challenge was used, or its state has expired. Owners' devices have to verify them (a
 * PIN, a finger, a face); for others verification is preferred, because a security key without a PIN is still better than a
 * mailbox. `answers.ts` handles the answers of existing passkeys.
 */
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import * as z from "zod";
import type { Accounts } from "../../contract/accounts.ts";
import { askDatabase } from "../../contract/database-away.ts";
import { newId } from "../../contract/ids.ts";
import { Refused } from "../../contract/refused.ts";
import type { AccountTransaction } from "../../records/schema.ts";
import { MAX_STATE_LENGTH, readState, signState, useOnce } from "../browser/signed-state.ts";

/** 28 MB and a third of a second, at the first use of a passkey. */
export const loadLibrary = () => import("@simplewebauthn/server");

export const CHALLENGE_LIFETIME_MS = 5 * 60_000;
const MAX_PASSKEYS = 20;
const MAX_RESPONSE_TEXT = 16_000;
const MAX_TRANSPORTS = 10;

/** The only purpose of a new passkey, bound to a person's id or a link's hash. */
export interface PasskeyUse {
  for: "add" | "start" | "join";
  bound: string;
}

const newSchema = z.object({
  challenge: z.string(),
  for: z.string(),
  bound: z.string(),
  mustVerify: z.boolean(),
});

/** The answer of `navigator.credentials`, as JSON. The library checks the rest. */
const responseText = z.string().max(MAX_RESPONSE_TEXT);
export const passkeyAnswerSchema = z.object({
  state: z.string().max(MAX_STATE_LENGTH),
  response: z.object({
    id: responseText,
    rawId: responseText,
    type: z.literal("public-key"),
    clientExtensionResults: z.object({}).default({}),
    response: z.object({
      clientDataJSON: responseText,
      attestationObject: responseText.optional(),
      authenticatorData: responseText.optional(),
      signature: responseText.optional(),
      userHandle: responseText.nullish(),
      transports: z.array(z.string().max(40)).max(MAX_TRANSPORTS).optional(),
    }),
  }),
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswerSchema>;

export interface PasskeyQuestion {
  state: string;
  /** For `navigator.credentials`. */
  options: object;
}

export interface NewPasskeyPerson {
  name: string;
  /** The id of an existing person; the device then does not make a second passkey for them. */
  userId: string | null;
  /** The device must verify an owner. */
  isOwner: boolean;
}

export async function askForNew(
  accounts: Accounts,
  use: PasskeyUse,
  { name, userId, isOwner }: NewPasskeyPerson,
): Promise<PasskeyQuestion> {
  const known = userId === null ? [] : await listCredentials(accounts, userId);
  if (known.length >= MAX_PASSKEYS)
    throw new Refused("resource_exhausted", `you have ${MAX_PASSKEYS} passkeys; delete one first`);
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpName: "Millrace",
    rpID: rpIdOf(accounts),
    userName: name,
    userDisplayName: name,
    userID: new Uint8Array(userId === null ? accounts.randomBytes(32) : new TextEncoder().encode(userId)),
    challenge: challengeOf(accounts),
    attestationType: "none",
    timeout: CHALLENGE_LIFETIME_MS,
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: {
      residentKey: "required",
      userVerification: isOwner ? "required" : "preferred",
    },
  });
  const data: z.infer<typeof newSchema> = { challenge: options.challenge, mustVerify: isOwner, ...use };
  return { state: signState(accounts, "passkey-new", { data, lifetimeMs: CHALLENGE_LIFETIME_MS }), options };
}

export interface CheckedPasskey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: readonly string[];
  /** Whether the device has verified the person. */
  isVerified: boolean;
}

/** @throws Refused `failed_precondition` when it took too long or was already used, `invalid_argument` */
export async function checkNew(
  accounts: Accounts,
  use: PasskeyUse,
  { state, response }: PasskeyAnswer,
): Promise<CheckedPasskey> {
  const data = readState(accounts, "passkey-new", { text: state, schema: newSchema });
  if (!data || data.for !== use.for || data.bound !== use.bound) throw overdue();
  const { verifyRegistrationResponse } = await loadLibrary();
  refuseFrames(response.response.clientDataJSON);
  const verified = await verify(() =>
    verifyRegistrationResponse({
      // The library checks what the schema does not.
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: data.challenge,
      expectedOrigin: accounts.origin,
      expectedRPID: rpIdOf(accounts),
      requireUserVerification: false,
    }),
  );
  const credential = verified.registrationInfo?.credential;
  if (!verified.verified || !credential) throw notValid();
  const isVerified = verified.registrationInfo?.userVerified === true;
  if (data.mustVerify && !isVerified)
    throw new Refused(
      "failed_precondition",
      "this device did not verify that it is you, as it must for an owner's passkey: set up a PIN, a fingerprint or a face on it, or use another device",
      { field: "passkey" },
    );
  await requireUnused(accounts, data.challenge);
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: response.response.transports ?? [],
    isVerified,
  };
}

/** Stores it, within a change that writes the audit log. @returns its id */
export async function addPasskey(
  { clock, randomBytes }: Pick<Accounts, "clock" | "randomBytes">,
  transaction: AccountTransaction,
  { userId, name, passkey }: { userId: string; name: string; passkey: CheckedPasskey },
): Promise<string> {
  const id = newId("pky", randomBytes);
  const { counter } = passkey;
  const row = { id, user_id: userId, name, counter, created_at: clock(), last_used_at: null };
  const { credentialId: credential_id, publicKey: public_key } = passkey;
  const transports = JSON.stringify(passkey.transports);
  await transaction
    .insertInto("passkeys")
    .values({ ...row, credential_id, public_key, transports, verifies_user: passkey.isVerified ? 1 : 0 })
    .execute();
  return id;
}

async function listCredentials({ db }: Accounts, userId: string): Promise<string[]> {
  const rows = await askDatabase(() =>
    db.selectFrom("passkeys").select("credential_id").where("user_id", "=", userId).execute(),
  );
  return rows.map((row) => row.credential_id);
}

/** This site's pages in another site's frame ask for no passkeys: such an answer was not intended. */
export function refuseFrames(clientData: string): void {
  const said: unknown = parseJson(Buffer.from(clientData, "base64url").toString());
  const isFramed = z.object({ crossOrigin: z.literal(true) }).safeParse(said).success;
  if (isFramed || z.object({ topOrigin: z.string() }).safeParse(said).success) throw notValid();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notValid(cause);
  }
}

/** The library throws for every invalid answer. */
export async function verify<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw notValid(cause);
  }
}

export async function requireUnused(accounts: Accounts, challenge: string): Promise<void> {
  if (!(await askDatabase(() => useOnce(accounts, `passkey.${challenge}`, CHALLENGE_LIFETIME_MS))))
    throw overdue();
}

export const rpIdOf = ({ origin }: Accounts) => new URL(origin).hostname;
export const challengeOf = ({ randomBytes }: Accounts) => new Uint8Array(randomBytes(32));
export const overdue = () =>
  new Refused("failed_precondition", "the passkey's response took too long or was already used; try again");
export const notValid = (cause?: unknown) =>
  new Refused("unauthenticated", "the passkey's response is not valid here", { cause });
