/** Accounts and their API, on the database that the environment names. */
import type { Hono } from "hono";
import {
  type Accounts,
  type AccountTables,
  type Callers,
  countExchanges,
  createAccountRoutes,
  createAccounts,
  createCallers,
  createEventRoutes,
  createMailer,
  ensureFirstOrganization,
  type EventRoutes,
  type Mailer,
  makeOwnerLink,
  setOwnerToken,
  startAccountJobs,
} from "#accounts/index.ts";
import { createApi } from "#api/index.ts";
import type { Cache } from "#cache/index.ts";
import { createCallerLimit } from "#platform/http/caller-limit.ts";
import { workGate } from "#platform/fair/work-gate.ts";
import { createAddressOf } from "#platform/http/client-address.ts";
import { conflictsOf, type Database } from "#platform/database/database.ts";
import type { LeaseTables } from "#platform/database/lease.ts";
import { openSharedClock } from "#platform/database/shared-clock.ts";
import type { Log } from "#platform/log/log.ts";
import { type DataDisk, openDataDisk } from "./data-disk.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { RecordDatabase } from "./database/record-tables.ts";
import { openSealedRecords } from "./database/sealed-records.ts";
import { watchTables } from "./database/watch-tables.ts";
import type { Environment } from "./environment.ts";
import { CALL_RATE } from "./limits.ts";
import type { ObservedRoom, ServerRuntime } from "./runtime.ts";
import { type Opened, openOrClose } from "./open-or-close.ts";
import { openRooms } from "./open-rooms.ts";

export interface OpenedAccounts {
  accounts: Accounts;
  callers: Callers;
  cache: Cache;
  disk: DataDisk;
  parts: Pick<
    ServerRuntime,
    | "accountApps"
    | "callers"
    | "grpcRoutes"
    | "grpcCalls"
    | "createRoomHandlers"
    | "others"
    | "endStreams"
    | "describeOwner"
    | "describeBuilders"
  >;
  rooms: readonly ObservedRoom[];
  close: () => Promise<void>;
}

export interface OpenAccountsOptions {
  log: Log;
  /** Milliseconds to wait for a PostgreSQL that starts at the same time. */
  waitMs?: number;
}

/**
 * Opens them for the process that has `DATA_DIR`: brings tables to the newest form, makes the first organization
 * and the key, starts work in the background.
 * @throws UserError that says what to do about the database or the key
 */
export const openAccounts = (env: Environment, options: OpenAccountsOptions): Promise<OpenedAccounts> =>
  openOrClose((opened) => open(env, options, opened));

async function open(env: Environment, options: OpenAccountsOptions, opened: Opened): Promise<OpenedAccounts> {
  const { log } = options;
  const disk = await openDataDisk(env, log);
  opened.add(disk.close);
  const { database, secretKey } = await openSealedRecords(env, { ...options, reserve: disk.reserve });
  opened.add(database.close);
  const { look: lookAtClock, ...clock } = await openSharedClock({ database, log });
  opened.add(clock.stop);
  const mailer = openMailer(env);
  opened.add(() => mailer?.close());
  const accounts = createServerAccounts(env, { database, secretKey, log, mailer, clock: clock.now });
  opened.add(accounts.close);
  await setOwnerToken(accounts, env.MILLRACE_OWNER_TOKEN ?? null);
  const addressOf = createAddressOf(env.TRUSTED_PROXIES);
  const { RATE_LIMIT_FACTOR: rateLimitFactor } = env;
  // One for all doors: who shows wrong tokens shows them everywhere.
  const takeCall = createCallerLimit(CALL_RATE, rateLimitFactor);
  const callers = createCallers(accounts, { rateLimitFactor, takeCall, gate: workGate });
  const blobRooms = await openRooms(env, { accounts, callers, database, log, disk, lookAtClock });
  opened.add(blobRooms.close);
  const { builds, cache, registry } = blobRooms;
  const api = createApi(accounts, {
    addressOf,
    callers,
    builds,
    cache,
    images: registry.images,
    mirrors: registry.mirrors,
  });
  opened.add(api.close);
  const events = createEventRoutes(accounts, { callers, addressOf, roomSteps: { build: builds.findFirst } });
  opened.add(startAccountJobs(accounts));
  opened.add(events.streams.stop);
  disk.endStart();
  return {
    accounts,
    callers,
    cache,
    disk,
    parts: {
      callers,
      accountApps: {
        people: createPeopleApp(env, { accounts, mailer, disk }),
        api: api.app,
        events: events.app,
      },
      endStreams() {
        events.streams.end();
        // What it cannot do now it does again when everything is closed.
        builds.end().catch((error: unknown) => log.warn("Could not end builds cleanly.", { error }));
      },
      grpcRoutes: api.routes,
      ...blobRooms.parts,
      describeOwner: () => describeOwner(accounts),
      describeBuilders: builds.describe,
    },
    rooms: [disk.room, describeRoom({ accounts, events, database, log }), ...blobRooms.rooms],
    close: opened.close,
  };
}

export interface ServerAccountsOptions {
  database: Database<AccountTables & LeaseTables>;
  secretKey: Uint8Array;
  log: Log;
  /** Absent: no mail is sent. */
  mailer?: Mailer | undefined;
  /** Milliseconds since 1970. */
  clock: () => number;
}

/** As the environment says; for the server and for commands beside it. */
export function createServerAccounts(
  env: Environment,
  { mailer, ...options }: ServerAccountsOptions,
): Accounts {
  return createAccounts({
    ...options,
    ...(mailer && { sendMail: mailer.sendMail }),
    origin: env.SITE_ORIGIN,
    version: packageJson.version,
    jobTokenLifetimeMs: env.MILLRACE_JOB_TOKEN_LIFETIME,
    privateIssuers: env.MILLRACE_OIDC_PRIVATE_ISSUERS,
  });
}

export function openMailer({
  MILLRACE_SMTP_URL: smtpUrl,
  MILLRACE_MAIL_FROM: from,
}: Environment): Mailer | undefined {
  return smtpUrl === undefined || from === undefined ? undefined : createMailer({ smtpUrl, from });
}

interface PeopleAppOptions {
  accounts: Accounts;
  mailer: Mailer | undefined;
  disk: DataDisk;
}

function createPeopleApp(env: Environment, { accounts, mailer, disk }: PeopleAppOptions): Hono {
  const {
    MILLRACE_OIDC_ISSUER: issuer,
    MILLRACE_OIDC_CLIENT_ID: clientId = "",
    MILLRACE_OIDC_CLIENT_SECRET: clientSecret = "",
    MILLRACE_OIDC_NAME: name,
    MILLRACE_GITHUB_CLIENT_ID: githubId,
    MILLRACE_GITHUB_CLIENT_SECRET: githubSecret = "",
  } = env;
  return createAccountRoutes(accounts, {
    addressOf: createAddressOf(env.TRUSTED_PROXIES),
    rateLimitFactor: env.RATE_LIMIT_FACTOR,
    ...(issuer && { oidc: { issuer, clientId, clientSecret, name: name ?? new URL(issuer).hostname } }),
    ...(githubId && { github: { clientId: githubId, clientSecret: githubSecret } }),
    ...(mailer && { sentBy: mailer.sentBy }),
    disk: disk.watch,
  });
}

interface DescribedAccounts {
  accounts: Accounts;
  events: EventRoutes;
  database: RecordDatabase;
  log: Log;
}

function describeRoom({ accounts, events: { streams }, database, log }: DescribedAccounts): ObservedRoom {
  let isUp = true;
  const haveTables = watchTables(database, log);
  return {
    name: "accounts",
    async isReady() {
      const areRight = await haveTables().catch(() => null);
      isUp = areRight !== null;
      return areRight ?? false;
    },
    registerMetrics(metrics) {
      metrics.gauge(
        "accounts_database_up",
        "Whether the database responded to the last check of /readyz.",
        () => Number(isUp),
      );
      metrics.total({
        name: "database_conflicts_total",
        help: "Transactions that PostgreSQL rolled back because others changed the same rows: retried, or given up.",
        label: "outcome",
        read: () => Object.entries(conflictsOf(accounts.db)),
      });
      metrics.total({
        name: "accounts_oidc_exchanges_total",
        help: "OIDC tokens of CI jobs that were exchanged or refused.",
        label: "outcome",
        read: () => countExchanges(accounts),
      });
      metrics.gauge("event_streams", "Open event streams.", () => streams.size);
      metrics.total({
        name: "event_streams_ended_total",
        help: "Event streams that ended: the reader left, lost access, opened too many others, was too slow, or the server stopped.",
        label: "why",
        read: () => streams.ends,
      });
      metrics.total({
        name: "refusals_heard_total",
        help: "Refused requests that an organization's members are notified of, and refused requests beyond the limit.",
        label: "outcome",
        read: () => accounts.hearing.counts,
      });
    },
  };
}

async function describeOwner(accounts: Accounts): Promise<string | null> {
  const { hasOwner } = await ensureFirstOrganization(accounts);
  if (hasOwner) return null;
  const { url } = await makeOwnerLink(accounts);
  return `\nNo owner yet. Open this link, once, within an hour:\n${url}\n`;
}
