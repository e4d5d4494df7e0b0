/** An organization's own names and passwords for other registries. Content that they open stays in the organization. */
import {
  type Accounts,
  type Actor,
  askDatabase,
  authorize,
  type Caller,
  noteChange,
  Refused,
} from "#accounts/index.ts";
import { inTransaction } from "#platform/database/database.ts";
import { createSeal, type Seal, type SealedColumn } from "#platform/seal/seal.ts";
import type { MirrorCredentials, MirrorLogin, Mirrors } from "../../contract/mirrors.ts";
import { REMEMBERED_MS } from "../../contract/limits.ts";
import type { RegistryDatabase } from "../../contract/schema.ts";
import type { Credentials } from "./credentials.ts";
import type { MirrorHost } from "../names/hosts.ts";
import { MAX_CREDENTIAL_LENGTH, MAX_REMEMBERED_CREDENTIALS } from "../limits.ts";

export const sealedMirrorPasswords: SealedColumn = {
  what: "passwords for other registries",
  purpose: "millrace mirror credentials",
  table: "registry_mirror_credentials",
  column: "sealed",
  keys: ["organization_id", "host"],
  belongs: ["organization_id", "host"],
};

export interface OrganizationCredentials extends Mirrors {
  /** @returns the organizations among these that have credentials for the host */
  ownersOf(organizationIds: readonly string[], host: string): Promise<string[]>;
  /** @returns null when there are none */
  find(organizationId: string, host: string): Promise<Credentials | null>;
}

interface Options {
  accounts: Accounts;
  database: RegistryDatabase;
  clock: () => number;
  hosts: ReadonlyMap<string, MirrorHost>;
}

export function createOrganizationCredentials(options: Options): OrganizationCredentials {
  const { accounts, database } = options;
  const seal = createSeal(accounts.secretKey, sealedMirrorPasswords);
  const remembered = createRememberedOwners(options);
  const tools: Tools = { ...options, seal, forget: remembered.forget };
  return {
    ownersOf: remembered.ownersOf,
    async find(organizationId, host) {
      const row = await findRow(database, organizationId, host);
      return row ? openRow(seal, organizationId, row) : null;
    },
    list: (caller) => listCredentials(tools, caller),
    set: (caller, login) => setCredentials(tools, caller, login),
    delete: (caller, host) => deleteCredentials(tools, caller, host),
  };
}

interface RememberedOwners extends Pick<OrganizationCredentials, "ownersOf"> {
  forget(organizationId: string, host: string): void;
}

function createRememberedOwners({ database, clock }: Options): RememberedOwners {
  const remembered = new Map<string, { isOwner: boolean; readAt: number }>();
  const isOwner = (key: string): boolean | undefined => {
    const known = remembered.get(key);
    return known && Math.abs(clock() - known.readAt) < REMEMBERED_MS ? known.isOwner : undefined;
  };
  const remember = (key: string, owns: boolean, readAt: number) => {
    remembered.delete(key);
    remembered.set(key, { isOwner: owns, readAt });
    // A Map iterates in insertion order.
    if (remembered.size > MAX_REMEMBERED_CREDENTIALS) remembered.delete(remembered.keys().next().value!);
  };
  return {
    async ownersOf(organizationIds, host) {
      const known = new Map(organizationIds.map((id) => [id, isOwner(belongs(id, host))]));
      const unknown = organizationIds.filter((id) => known.get(id) === undefined);
      if (unknown.length > 0) {
        const readAt = clock();
        const found = new Set(await findOwners(database, unknown, host));
        for (const id of unknown) {
          known.set(id, found.has(id));
          remember(belongs(id, host), found.has(id), readAt);
        }
      }
      return organizationIds.filter((id) => known.get(id));
    },
    forget: (organizationId, host) => void remembered.delete(belongs(organizationId, host)),
  };
}

async function findOwners(
  database: RegistryDatabase,
  organizationIds: readonly string[],
  host: string,
): Promise<string[]> {
  const rows = await askDatabase(() =>
    database.db
      .selectFrom("registry_mirror_credentials")
      .select("organization_id")
      .where("organization_id", "in", organizationIds)
      .where("host", "=", host)
      .execute(),
  );
  return rows.map((row) => row.organization_id);
}

interface Tools extends Options {
  seal: Seal;
  /** After a change. */
  forget: (organizationId: string, host: string) => void;
}

async function listCredentials({ database }: Tools, { actor }: Caller): Promise<MirrorCredentials[]> {
  const organizationId = requireOwner(actor);
  const rows = await askDatabase(() =>
    database.db
      .selectFrom("registry_mirror_credentials")
      .select(["host", "username", "set_by", "set_at"])
      .where("organization_id", "=", organizationId)
      .orderBy("host")
      .execute(),
  );
  return rows.map(({ set_by: setBy, set_at: setAt, ...row }) => ({ ...row, setBy, setAt }));
}

async function setCredentials(
  { accounts, database, clock, hosts, seal, forget }: Tools,
  caller: Caller,
  login: MirrorLogin,
): Promise<MirrorCredentials> {
  const organizationId = requireOwner(caller.actor);
  checkLogin(hosts, login);
  const { host, username, password } = login;
  const set = { username, set_by: caller.actor.name, set_at: clock() };
  const values = { ...set, sealed: seal.seal(password, organizationId, host) };
  await askDatabase(() =>
    inTransaction(database, (transaction) =>
      transaction
        .insertInto("registry_mirror_credentials")
        .values({ organization_id: organizationId, host, ...values })
        .onConflict((conflict) => conflict.columns(["organization_id", "host"]).doUpdateSet(values))
        .execute(),
    ),
  );
  forget(organizationId, host);
  await note(accounts, caller, { action: "mirror.login", organizationId, host, details: { username } });
  return { host, username, setBy: set.set_by, setAt: set.set_at };
}

async function deleteCredentials(
  { accounts, database, forget }: Tools,
  caller: Caller,
  host: string,
): Promise<void> {
  const organizationId = requireOwner(caller.actor);
  const deleted = await askDatabase(() =>
    inTransaction(database, (transaction) =>
      transaction
        .deleteFrom("registry_mirror_credentials")
        .where("organization_id", "=", organizationId)
        .where("host", "=", host)
        .executeTakeFirst(),
    ),
  );
  forget(organizationId, host);
  if (deleted.numDeletedRows === 0n)
    throw new Refused("not_found", `the organization has no credentials for ${host.slice(0, 200)}`);
  await note(accounts, caller, { action: "mirror.logout", organizationId, host, details: {} });
}

const belongs = (organizationId: string, host: string) => `${organizationId} ${host}`;

function findRow(database: RegistryDatabase, organizationId: string, host: string) {
  return askDatabase(() =>
    database.db
      .selectFrom("registry_mirror_credentials")
      .select(["host", "username", "sealed"])
      .where("organization_id", "=", organizationId)
      .where("host", "=", host)
      .executeTakeFirst(),
  );
}

function openRow(
  seal: Seal,
  organizationId: string,
  { host, username, sealed }: { host: string; username: string; sealed: string },
): Credentials {
  const password = seal.open(sealed, organizationId, host);
  if (password === null)
    throw new Refused(
      "failed_precondition",
      `the credentials for ${host} were stored with a different secret key; an owner must set them again`,
    );
  return { username, password };
}

/** @returns the organization */
function requireOwner(actor: Actor): string {
  const { organizationId } = actor;
  if (organizationId === null)
    throw new Refused("not_found", "you belong to no organization; ask an owner for an invitation");
  const refused = authorize(actor, "mirror.write", { name: "credentials for registries", organizationId });
  if (refused) throw refused;
  return organizationId;
}

function checkLogin(hosts: ReadonlyMap<string, MirrorHost>, { host, username, password }: MirrorLogin): void {
  const invalid = (field: string, message: string) => new Refused("invalid_argument", message, { field });
  if (!hosts.has(host))
    throw invalid(
      "host",
      hosts.size === 0
        ? "this server does not pull images from other registries; its operator can list registries in MILLRACE_MIRROR_HOSTS"
        : `this server does not pull images from ${JSON.stringify(host.slice(0, 200))}, only from ${[...hosts.keys()].join(", ")}; its operator lists registries in MILLRACE_MIRROR_HOSTS`,
    );
  for (const [field, text] of Object.entries({ username, password }))
    if (text === "" || text.length > MAX_CREDENTIAL_LENGTH || /\p{Cc}/u.test(text))
      throw invalid(
        field,
        `${field} must have 1 to ${MAX_CREDENTIAL_LENGTH} characters, without line breaks`,
      );
  // `Basic` separates name and password with it.
  if (username.includes(":")) throw invalid("username", "username cannot have a colon");
}

interface Noted {
  action: string;
  organizationId: string;
  host: string;
  details: Readonly<Record<string, string>>;
}

const note = (accounts: Accounts, caller: Caller, { host, ...entry }: Noted) =>
  noteChange(accounts, caller, { ...entry, target: host, targetId: host });
