/**
 * The account of a provider's person. The first line that applies:
 *
 *   1. a signed-in person asked to link the identity         their account
 *   2. the identity is known                                 its account
 *   3. the browser brings an invitation                      the account with their proved address, or a new one
 *   4. their proved address belongs to an account            that account, and the identity is known from now on, unless
 *                                                            they sign in in two steps
 *   5. otherwise                                             not a member
 */
import type { Accounts } from "../contract/accounts.ts";
import { type Change, changeRecords } from "../changes/change-records.ts";
import { checkMail, checkName } from "../contract/check-input.ts";
import { MAX_NAME_LENGTH } from "../contract/limits.ts";
import { Refused } from "../contract/refused.ts";
import { findTwoStepped } from "../two-step/two-step.ts";
import { createUser } from "../people/users.ts";
import { enter, type Entered, type EnteringBrowser, type EntryMethod } from "./enter.ts";
import { acceptInvitation, type FoundInvitation, requireInvitation } from "./accept-invitation.ts";
import { type Person, ProviderError } from "./providers/provider.ts";

export interface Arrival {
  person: Person;
  method: EntryMethod;
  /** The key of an invitation, or null. */
  invitation: string | null;
  /** The id of the person who is signed in and asked to link the identity, or null. */
  linkTo: string | null;
  from: EnteringBrowser;
}

/** @throws ProviderError, Refused */
export async function enterAsPerson(accounts: Accounts, arrival: Arrival): Promise<Entered> {
  const { from } = arrival;
  const person = cleanPerson(arrival.person);
  const invitation = arrival.invitation ? await findInvitation(accounts, arrival.invitation) : null;
  const author = { name: person.name, id: `${person.issuer} ${person.subject}`, address: from.address };
  return changeRecords(accounts, author, async (change) => {
    const user = await findUser(accounts, change, { ...arrival, person, invitation });
    if (invitation)
      await acceptInvitation(accounts, change, { invitation, userId: user.id, name: user.name });
    const entry = { userId: user.id, name: user.name, method: arrival.method };
    return enter(accounts, change, { entry, from });
  });
}

/** An address that is invalid here counts as no address. */
function cleanPerson(person: Person): Person {
  const name = person.name.toWellFormed().replace(/\p{C}/gu, "").slice(0, MAX_NAME_LENGTH).trim();
  const known = { ...person, name: isName(name) ? name : person.subject.slice(0, MAX_NAME_LENGTH) };
  try {
    return { ...known, mail: person.mail === null ? null : checkMail(person.mail) };
  } catch {
    return { ...known, mail: null, isMailVerified: false };
  }
}

function isName(name: string): boolean {
  try {
    return checkName(name, "name") !== "";
  } catch {
    return false;
  }
}

async function findInvitation(accounts: Accounts, key: string): Promise<FoundInvitation> {
  try {
    return await requireInvitation(accounts, key);
  } catch (cause) {
    if (!(cause instanceof Refused) || cause.code === "unavailable") throw cause;
    throw new ProviderError("invitation", cause.message, { cause });
  }
}

interface User {
  id: string;
  name: string;
}

async function findUser(
  accounts: Accounts,
  change: Change,
  { person, linkTo, invitation }: Pick<Arrival, "person" | "linkTo"> & { invitation: FoundInvitation | null },
): Promise<User> {
  const known = await findByIdentity(change, person);
  if (linkTo !== null) {
    if (known && known.id !== linkTo)
      throw new ProviderError("linked-elsewhere", "This identity belongs to someone else here.");
    return known ?? addIdentity(accounts, change, { person, userId: linkTo });
  }
  if (known) return known;
  const mail = person.isMailVerified ? person.mail : null;
  const owner = mail === null ? undefined : await findByMail(change, mail);
  if (owner) {
    // One step must not link an identity permanently: a person with two steps links it when they are signed in.
    if ((await findTwoStepped(change.transaction, [owner.id])).size > 0) return owner;
    return addIdentity(accounts, change, { person, userId: owner.id });
  }
  if (!invitation) {
    if (person.mail !== null && !person.isMailVerified)
      throw new ProviderError("unverified-mail", "The provider has not verified the address.");
    throw new ProviderError("not-a-member", "No one here has this identity or address.", {
      mail: person.mail,
    });
  }
  const { transaction } = change;
  const userId = await createUser(accounts, transaction, {
    name: person.name,
    mail,
    isMailVerified: mail !== null,
  });
  return addIdentity(accounts, change, { person, userId });
}

function findByIdentity({ transaction }: Change, { issuer, subject }: Person): Promise<User | undefined> {
  return transaction
    .selectFrom("identities")
    .innerJoin("users", "users.id", "identities.user_id")
    .select(["users.id", "users.name"])
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

function findByMail({ transaction }: Change, mail: string): Promise<User | undefined> {
  return transaction
    .selectFrom("users")
    .select(["id", "name"])
    .where("mail", "=", mail)
    .where("mail_verified_at", "is not", null)
    .executeTakeFirst();
}

async function addIdentity(
  { clock }: Accounts,
  { transaction, audit }: Change,
  { person, userId }: { person: Person; userId: string },
): Promise<User> {
  const { issuer, subject } = person;
  const row = { issuer, subject, user_id: userId, created_at: clock() };
  await transaction.insertInto("identities").values(row).execute();
  const user = await transaction
    .selectFrom("users")
    .select(["id", "name"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const details = { issuer, subject };
  await audit({
    action: "identity.create",
    organizationId: null,
    target: user.name,
    targetId: userId,
    details,
  });
  return user;
}
