/**
 * Mails a person when anyone changes what protects their account, so that no one who gets hold of a signed-in browser changes
 * it unnoticed. Only proved addresses get mails, one a minute of each kind, and no change waits for its mail.
 */
import type { Accounts } from "../contract/accounts.ts";
import { type AuditEntry, type Author, SERVER } from "../contract/audit.ts";

/** By the audit log's action: what has happened, and what it means. */
const LETTERS: Readonly<Record<string, readonly [subject: string, says: string]>> = {
  "two-step.on": [
    "Two-step sign-in was set up",
    "Your second step is now an app or a passkey, and you have new recovery codes.",
  ],
  "two-step.off": ["Two-step sign-in was turned off", "One step is now enough to sign in as you."],
  "two-step.codes": ["New recovery codes were created", "The old recovery codes no longer work."],
  "mail.change": ["The mail address was changed", "This address no longer signs you in."],
  "passkey.create": ["A passkey was added", "Anyone with its device can sign in as you."],
  "identity.create": [
    "An account at a provider was connected",
    "Anyone with that account can do the first step of signing in as you.",
  ],
  "owner-link": [
    "A sign-in link was created",
    "Anyone who opens it within an hour signs in as you. It works once. With two-step sign-in, they still need your second step.",
  ],
};

const BY_PERSON: Readonly<Record<string, string>> & { else: string } = {
  "identity.create":
    "you, by someone who is signed in as you, or by someone whose account there has your address",
  else: "you, or by someone who is signed in as you",
};

const AGAIN_MS = 60_000;
/** A younger account was made for this sign-in. */
const NEW_MS = 60_000;
const MAX_TOLD = 10_000;
/** When each person was last notified of each kind of change. */
const latest = new WeakMap<Accounts, Map<string, number>>();
/** Mails that are being sent. */
const sending = new WeakMap<Accounts, Set<Promise<void>>>();

export function tellByMail(accounts: Accounts, author: Author, entries: readonly AuditEntry[]): void {
  for (const { action, targetId } of entries)
    tell(accounts, author, { action, userId: action === "passkey.create" ? author.id : targetId, to: null });
}

/** @param to the former address, which was proved */
export function tellFormerAddress(accounts: Accounts, author: Author, userId: string, to: string): void {
  tell(accounts, author, { action: "mail.change", userId, to });
}

/** Reports that the operator has made a link for an owner. */
export function tellOfOwnerLink(accounts: Accounts, userId: string): void {
  tell(accounts, SERVER, { action: "owner-link", userId, to: null });
}

/** For a program that is about to end: resolves when all mails are sent or have failed. It never rejects. */
export async function mailsSent(accounts: Accounts): Promise<void> {
  await Promise.all(sending.get(accounts) ?? []);
}

interface Told {
  action: string;
  userId: string;
  /** Null: to the person's proved address. */
  to: string | null;
}

function tell(accounts: Accounts, author: Author, { action, userId, to }: Told): void {
  const { sendMail, log } = accounts;
  const letter = LETTERS[action];
  if (!sendMail || !letter) return;
  const mail = send(accounts, {
    sendMail,
    action,
    userId,
    to,
    by: nameOf(author, { action, userId }),
    letter,
  })
    .catch((error: unknown) =>
      log.warn("The mail about a change of an account could not be sent.", { action, error }),
    )
    .finally(() => sending.get(accounts)?.delete(mail));
  const all = sending.get(accounts) ?? new Set();
  sending.set(accounts, all.add(mail));
}

/** Null: anyone who is signed in as the person. */
function nameOf({ id, name }: Author, { action, userId }: Pick<Told, "action" | "userId">): string | null {
  if (id === SERVER.id) return "whoever runs this server";
  // At a provider, people choose any name.
  return action === "two-step.off" && id !== userId ? name : null;
}

/** Repeated changes do not send a flood of mails. */
function isNew(accounts: Accounts, key: string): boolean {
  const told = latest.get(accounts) ?? new Map<string, number>();
  latest.set(accounts, told);
  const now = accounts.clock();
  const toldAt = told.get(key);
  if (toldAt !== undefined && Math.abs(now - toldAt) < AGAIN_MS) return false;
  if (told.size >= MAX_TOLD) told.clear();
  told.set(key, now);
  return true;
}

interface Sending extends Told {
  sendMail: NonNullable<Accounts["sendMail"]>;
  /** Null: anyone who is signed in as the person. */
  by: string | null;
  letter: readonly [string, string];
}

async function send(accounts: Accounts, sending: Sending): Promise<void> {
  const { sendMail, action, userId, to, by, letter } = sending;
  const { origin } = accounts;
  const address = to ?? (await findProved(accounts, userId));
  if (address === null || !isNew(accounts, `${userId} ${action}`)) return;
  const [subject, says] = letter;
  // No name can become a link in this mail.
  const name = by?.replaceAll(/[^\p{L}\p{N} '-]/gu, " ").trim() || BY_PERSON[action] || BY_PERSON.else;
  await sendMail({
    to: address,
    subject: `${subject} for your account on ${new URL(origin).host}`,
    text: [
      `${subject} by ${name}.`,
      says,
      `If you did not expect this, sign out all other browsers and check your ways to sign in: ${origin}/app/me. Then tell an owner of your organization.`,
    ].join("\n\n"),
  });
}

/** @returns null also for a person who has just joined, because they know what they did */
async function findProved({ db, clock }: Accounts, userId: string): Promise<string | null> {
  const person = await db
    .selectFrom("users")
    .select("mail")
    .where("id", "=", userId)
    .where("mail_verified_at", "is not", null)
    // A clock that was ahead does not make an account new.
    .where((row) => row.or([row("created_at", "<=", clock() - NEW_MS), row("created_at", ">", clock())]))
    .executeTakeFirst();
  return person?.mail ?? null;
}
