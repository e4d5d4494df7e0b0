/** Accounts for tests, on a database of their own, with a clock that stands still. */
import { type DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase } from "#platform/testing/database.ts";
import type { Accounts } from "../contract/accounts.ts";
import { createAccounts, type AccountsOptions } from "../create-accounts.ts";
import type { UserActor } from "../contract/actor.ts";
import { addToken, type TokenRecord } from "../changes/add-token.ts";
import { type Caller, changeRecords } from "../changes/change-records.ts";
import { ensureFirstOrganization, setOwnerToken } from "../people/first-owner.ts";
import { identify } from "../identity/identify.ts";
import { newId } from "../contract/ids.ts";
import { accountMigrations } from "../migrations/migrations.ts";
import type { AccountTables, Role } from "../records/schema.ts";
import { createSignIn } from "../people/sign-ins.ts";
import { makeToken } from "../contract/token-text.ts";
import { addExchange, type KeptExchange, subjectOf } from "../trust/keep-exchange.ts";
import { addMember, createUser } from "../people/users.ts";

export const OWNER_TOKEN = "mr_user_for-tests-only-0123456789-abcdef";

type CreateOptions = Pick<AccountsOptions, "database" | "log" | "clock">;

/** For a room's tests, whose database has more tables: a person has OWNER_TOKEN. */
export async function createOwnedAccounts(options: CreateOptions) {
  const secretKey = new Uint8Array(32);
  const origin = "http://localhost:3000";
  const accounts = createAccounts({ ...options, origin, version: "1.2.3", secretKey });
  await setOwnerToken(accounts, OWNER_TOKEN);
  return { accounts, secretKey };
}

export interface TestAccounts extends AsyncDisposable {
  accounts: Accounts;
  /** Messages, with their fields as JSON. */
  logged: string[];
  /** Milliseconds since 1970. */
  time: { now: number };
  /** The same person, with the rights that they have now. */
  reload: (caller: PersonCaller) => Promise<PersonCaller>;
}

export interface PersonCaller extends Caller {
  actor: UserActor;
}

export interface TestPerson {
  userId: string;
  /** For a browser in which they are signed in. */
  cookie: string;
  caller: PersonCaller;
}

/** A person, by default the owner of a new organization that is named after them. */
export async function makePerson(
  { accounts }: Pick<TestAccounts, "accounts">,
  name: string,
  how: { organization?: string; organizationId?: string; role?: Role; isOperator?: boolean } = {},
): Promise<TestPerson> {
  const author = { name, id: "test", address: "" };
  const first = how.isOperator ? await ensureFirstOrganization(accounts) : null;
  const { cookie, userId } = await changeRecords(accounts, author, async ({ transaction }) => {
    const userId = await createUser(accounts, transaction, { name, mail: null, isMailVerified: false });
    const organizationId = how.organizationId ?? first?.id ?? newId("org", accounts.randomBytes);
    if (organizationId !== how.organizationId && !first)
      await transaction
        .insertInto("organizations")
        .values({ id: organizationId, name: how.organization ?? name, is_first: null, created_at: 0 })
        .execute();
    await addMember(accounts, transaction, { organizationId, userId, role: how.role ?? "owner" });
    const browser = { userId, browser: "Chromium", address: "192.0.2.1" };
    return { ...(await createSignIn(accounts, browser, transaction)), userId };
  });
  return { userId, cookie, caller: await callerOf(accounts, cookie) };
}

/** Makes a person a member of one more organization. */
export async function joinOrganization(
  { accounts }: Pick<TestAccounts, "accounts">,
  member: { organizationId: string; userId: string; role: Role },
): Promise<void> {
  await changeRecords(
    accounts,
    { name: "test", id: "test", address: "" },
    async ({ transaction, forget }) => {
      await addMember(accounts, transaction, member);
      forget(member.userId);
    },
  );
}

/** A job's token, as its exchange makes it. */
export async function makeJobToken(
  { accounts }: Pick<TestAccounts, "accounts">,
  job: { organizationId: string; projectId: string | null; name?: string; expiresAt?: number },
): Promise<{ id: string; secret: string }> {
  const { name = "CI job", expiresAt = accounts.clock() + accounts.jobTokenLifetimeMs } = job;
  const secret = makeToken("job", accounts.randomBytes);
  const record = { ...job, type: "job", secret, name, cache: "read", createdBy: name, expiresAt } as const;
  const author = { name, id: "test", address: "" };
  const id = await changeRecords(accounts, author, ({ transaction }) =>
    addToken(accounts, transaction, record),
  );
  return { id, secret };
}

/** Any token of an organization. @returns its secret */
export async function addTestToken(
  { accounts }: Pick<TestAccounts, "accounts">,
  token: Pick<TokenRecord, "type" | "organizationId"> & Partial<TokenRecord>,
): Promise<string> {
  const secret = makeToken(token.type, accounts.randomBytes);
  const author = { name: "test", id: "test", address: "" };
  const record = {
    name: `a token of type ${token.type}`,
    createdBy: "test",
    expiresAt: null,
    ...token,
    secret,
  };
  await changeRecords(accounts, author, ({ transaction }) => addToken(accounts, transaction, record));
  return secret;
}

/** The record of an OIDC token's exchange; without `refusedBecause`, a token was given. */
export async function makeExchange(
  { accounts }: Pick<TestAccounts, "accounts">,
  exchange: Pick<KeptExchange, "organizationId" | "projectId" | "claims"> & Partial<KeptExchange>,
): Promise<string> {
  const { iss: issuer = "https://ci.example" } = exchange.claims;
  const absent = {
    wanted: new Set<string>(),
    address: "",
    refusedBecause: "",
    differences: [],
    tokenId: null,
  };
  const subject = subjectOf({ sub: "CI job", ...exchange.claims });
  const kept = { ...absent, issuer: String(issuer), subject, ...exchange };
  const author = { name: kept.subject, id: kept.issuer, address: kept.address };
  return changeRecords(accounts, author, ({ transaction }) => addExchange(accounts, transaction, kept));
}

async function callerOf(accounts: Accounts, cookie: string): Promise<PersonCaller> {
  const actor = await identify(accounts, { cookie });
  if (actor.kind !== "user") throw new Error("A browser is a person's.");
  return { actor, address: "192.0.2.1" };
}

export async function openTestAccounts(
  kind: DatabaseKind,
  options: Partial<AccountsOptions> = {},
): Promise<TestAccounts> {
  const place = await openTestDatabase(kind);
  const database = await openDatabase<AccountTables & LeaseTables>({
    at: place.at,
    migrations: [...leaseMigrations, ...accountMigrations],
  });
  const logged: string[] = [];
  const note = (message: string, fields?: object) =>
    void logged.push(fields ? `${message} ${JSON.stringify(fields)}` : message);
  const time = { now: Date.UTC(2026, 0, 1) };
  const log = { debug: note, info: note, warn: note, error: note, writes: () => true, flush: () => {} };
  const accounts = createAccounts({
    database,
    origin: "https://build.acme.example",
    version: "1.2.3",
    log,
    secretKey: new Uint8Array(32),
    clock: () => time.now,
    ...options,
  });
  return {
    accounts,
    logged,
    time,
    async reload({ actor: { userId, organizationId } }) {
      const author = { name: "test", id: userId, address: "" };
      const browser = { userId, browser: "Chromium", address: "" };
      const { cookie } = await changeRecords(accounts, author, ({ transaction }) =>
        createSignIn(accounts, browser, transaction),
      );
      const { actor, address } = await callerOf(accounts, cookie);
      const stays = actor.memberships.some((membership) => membership.organizationId === organizationId);
      return { actor: stays ? { ...actor, organizationId } : actor, address };
    },
    async [Symbol.asyncDispose]() {
      await accounts.close();
      await database.close();
      await place.remove();
    },
  };
}
