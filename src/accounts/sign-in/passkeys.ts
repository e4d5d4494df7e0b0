/**
 * Passkeys: WebAuthn Level 3, with keys that the device can find by itself (resident).
 *
 *   options ─► { state, options }       the state is signed and holds the challenge, for five minutes
 *   response + state ─► checked         a challenge works once, on all replicas (`useOnce`)
 *
 * A stolen response is worth nothing: its challenge was used, or its state is over. User verification is preferred and
 * not required, because a security key without a PIN is still better than a mailbox.
 */
import { isIP } from "node:net";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import * as z from "zod";
import type { Accounts } from "../accounts.ts";
import { askDatabase } from "../database-away.ts";
import { newId } from "../ids.ts";
import { Refused } from "../refused.ts";
import type { AccountTransaction } from "../schema.ts";
import { MAX_STATE_LENGTH, readState, signState, useOnce } from "./signed-state.ts";

/** 28 MB and a third of a second, for whoever is the first to use a passkey. */
const loadLibrary = () => import("@simplewebauthn/server");

const CHALLENGE_LIFETIME_MS = 5 * 60_000;
const MAX_PASSKEYS = 20;
const MAX_RESPONSE_TEXT = 16_000;
const MAX_TRANSPORTS = 10;

/** What a new passkey is for, and what it must not be used for anything else: a person's id, or a link's hash. */
export interface PasskeyUse {
  for: "add" | "start" | "join";
  bound: string;
}

const newSchema = z.object({ challenge: z.string(), for: z.string(), bound: z.string() });
const signInSchema = z.object({ challenge: z.string() });

/** What `navigator.credentials` answered, as JSON. The library checks the rest. */
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

/** Browsers have passkeys only for names, over HTTPS or on this machine itself. */
export function hasPasskeys(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return false;
  return protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
}

export interface PasskeyQuestion {
  state: string;
  /** For `navigator.credentials`. */
  options: object;
}

export async function askForSignIn(accounts: Accounts): Promise<PasskeyQuestion> {
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(accounts),
    challenge: challengeOf(accounts),
    userVerification: "preferred",
    timeout: CHALLENGE_LIFETIME_MS,
  });
  const data: z.infer<typeof signInSchema> = { challenge: options.challenge };
  return {
    state: signState(accounts, "passkey-sign-in", { data, lifetimeMs: CHALLENGE_LIFETIME_MS }),
    options,
  };
}

/** @param userId of a person who is there already; the device then does not make a second passkey for them */
export async function askForNew(
  accounts: Accounts,
  use: PasskeyUse,
  { name, userId }: { name: string; userId: string | null },
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
    authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
  });
  const data: z.infer<typeof newSchema> = { challenge: options.challenge, ...use };
  return { state: signState(accounts, "passkey-new", { data, lifetimeMs: CHALLENGE_LIFETIME_MS }), options };
}

export interface CheckedPasskey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: readonly string[];
}

/** @throws Refused `failed_precondition` when it took too long or was used, `invalid_argument` */
export async function checkNew(
  accounts: Accounts,
  use: PasskeyUse,
  { state, response }: PasskeyAnswer,
): Promise<CheckedPasskey> {
  const data = readState(accounts, "passkey-new", { text: state, schema: newSchema });
  if (!data || data.for !== use.for || data.bound !== use.bound) throw overdue();
  const { verifyRegistrationResponse } = await loadLibrary();
  const verified = await verify(() =>
    verifyRegistrationResponse({
      // Checked by the library as far as not by the schema.
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: data.challenge,
      expectedOrigin: accounts.origin,
      expectedRPID: rpIdOf(accounts),
      requireUserVerification: false,
    }),
  );
  const credential = verified.registrationInfo?.credential;
  if (!verified.verified || !credential) throw notValid();
  await requireUnused(accounts, data.challenge);
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: response.response.transports ?? [],
  };
}

/** Keeps it, within a change that writes the audit log. @returns its id */
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
    .values({ ...row, credential_id, public_key, transports })
    .execute();
  return id;
}

/** Whose passkey it is. @throws Refused `unauthenticated`, `failed_precondition`, `unavailable` */
export async function checkSignIn(
  accounts: Accounts,
  { state, response }: PasskeyAnswer,
): Promise<{ userId: string; name: string }> {
  const data = readState(accounts, "passkey-sign-in", { text: state, schema: signInSchema });
  if (!data) throw overdue();
  const row = await findPasskey(accounts, response.id);
  if (!row) throw new Refused("unauthenticated", "this passkey is not known here; it may have been deleted");
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { authenticationInfo, verified } = await verify(() =>
    verifyAuthenticationResponse({
      // As above.
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
  await requireUnused(accounts, data.challenge);
  const updated = await askDatabase(() =>
    accounts.db
      .updateTable("passkeys")
      .set({ counter: authenticationInfo.newCounter, last_used_at: accounts.clock() })
      .where("id", "=", row.id)
      // Of two at the same time with one counter, the key of one was copied.
      .where("counter", "=", row.counter)
      .returning("id")
      .execute(),
  );
  if (updated.length === 0) throw notValid();
  return { userId: row.user_id, name: row.user };
}

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

async function listCredentials({ db }: Accounts, userId: string): Promise<string[]> {
  const rows = await askDatabase(() =>
    db.selectFrom("passkeys").select("credential_id").where("user_id", "=", userId).execute(),
  );
  return rows.map((row) => row.credential_id);
}

/** The library throws for everything that is wrong. */
async function verify<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw notValid(cause);
  }
}

async function requireUnused(accounts: Accounts, challenge: string): Promise<void> {
  if (!(await askDatabase(() => useOnce(accounts, `passkey.${challenge}`, CHALLENGE_LIFETIME_MS))))
    throw overdue();
}

const rpIdOf = ({ origin }: Accounts) => new URL(origin).hostname;
const challengeOf = ({ randomBytes }: Accounts) => new Uint8Array(randomBytes(32));
const overdue = () =>
  new Refused("failed_precondition", "the passkey's answer took too long or was used already; try again");
const notValid = (cause?: unknown) =>
  new Refused("unauthenticated", "the passkey's answer is not valid here", { cause });
