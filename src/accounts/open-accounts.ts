/** The room, configured by the environment: identities, sign-in for people and programs, the stream of events. */
import type { Hono } from "hono";
import { createAddressOf } from "#platform/http/addresses/client-address.ts";
import { createCallerLimit } from "#platform/http/limits/caller-limit.ts";
import { CALL_RATE } from "#platform/http/limits/request-rates.ts";
import { callApp } from "#platform/house/part-apps.ts";
import { workGate } from "#platform/fair/work-gate.ts";
import type { Database } from "#platform/database/database.ts";
import type { LeaseTables } from "#platform/database/lease.ts";
import { conflictsOf } from "#platform/database/database.ts";
import type { DiskWatch } from "#platform/files/disk-space.ts";
import type { OpenedRoom, RoomPlan } from "#platform/house/plan.ts";
import { createRoom, type Mount } from "#platform/house/room.ts";
import type { ServerEnvironment } from "#platform/house/server-variables.ts";
import type { Log } from "#platform/log/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import type { Accounts } from "./contract/accounts.ts";
import { createAccounts } from "./create-accounts.ts";
import { type Callers, createCallers } from "./identity/callers.ts";
import { createEventRoutes, type EventRoutes } from "./stream/event-routes.ts";
import type { RoomSteps } from "./stream/first-run.ts";
import { ensureFirstOrganization, setOwnerToken } from "./people/first-owner.ts";
import { accountMigrations } from "./migrations/migrations.ts";
import { createAccountRoutes } from "./routes.ts";
import type { AccountTables } from "./records/schema.ts";
import { createMailer, type Mailer } from "./sign-in/mail/mailer.ts";
import { makeOwnerLink } from "./sign-in/mail/owner-link.ts";
import { startAccountJobs } from "./sweep.ts";
import { countExchanges } from "./trust/exchange.ts";
import { sealedTotpSecrets } from "./two-step/two-step.ts";
import { type AccountEnvironment, accountVariables } from "./variables.ts";

interface AccountFloor {
  database: Database<AccountTables & LeaseTables>;
  secretKey: Uint8Array;
  /** Milliseconds since 1970. */
  clock: () => number;
  log: Log;
  version: string;
  disk: DiskWatch;
  /** Whether the tables are those that this release needs. @throws when the database does not answer */
  haveTables: () => Promise<boolean>;
}

/** For the rooms that open after this one. */
interface GivenAccounts {
  accounts: Accounts;
  callers: Callers;
  /** Steps of the first run's checklist that a room knows about. */
  addFirstSteps: (steps: RoomSteps) => void;
}

export const accountRoom: RoomPlan<AccountFloor, GivenAccounts, typeof accountVariables> = {
  variables: accountVariables,
  migrations: accountMigrations,
  sealed: [sealedTotpSecrets],
  open,
};

/** Makes the first organization, and starts background work. */
async function open(
  floor: AccountFloor,
  env: AccountEnvironment & ServerEnvironment,
): Promise<OpenedRoom<GivenAccounts>> {
  const mailer = openMailer(env);
  const accounts = openServerAccounts(env, { ...floor, mailer });
  await ensureFirstOrganization(accounts);
  await setOwnerToken(accounts, env.MILLRACE_OWNER_TOKEN ?? null);
  const addressOf = createAddressOf(env.TRUSTED_PROXIES);
  const { RATE_LIMIT_FACTOR: rateLimitFactor } = env;
  // One limit for all endpoints: a client with wrong tokens shows them everywhere.
  const takeCall = createCallerLimit(CALL_RATE, rateLimitFactor);
  const callers = createCallers(accounts, { rateLimitFactor, takeCall, gate: workGate });
  const roomSteps: RoomSteps = {};
  const events = createEventRoutes(accounts, { callers, addressOf, roomSteps });
  const people = createAccountRoutes(accounts, {
    addressOf,
    rateLimitFactor,
    ...providersOf(env),
    ...(mailer && { sentBy: mailer.sentBy }),
    disk: floor.disk,
  });
  const stopJobs = startAccountJobs(accounts);
  let isUp = true;
  const room = createRoom("accounts", {
    mounts: accountMounts(people, events.app),
    async isReady() {
      const areRight = await floor.haveTables().catch(() => null);
      isUp = areRight !== null;
      return areRight ?? false;
    },
    registerMetrics: (metrics) => registerMetrics(metrics, { accounts, events, isUp: () => isUp }),
    greet: () => describeOwner(accounts),
    end: events.streams.end,
    async close() {
      events.streams.stop();
      await stopJobs();
      await accounts.close();
      await mailer?.close();
    },
  });
  return { room, gives: { accounts, callers, addFirstSteps: (steps) => Object.assign(roomSteps, steps) } };
}

export const accountMounts = (people: Hono, events: Hono): readonly Mount[] => [
  {
    part: "accounts",
    paths: ["/auth/*", "/oauth/*"],
    takesTurns: true,
    serve: (edge) => callApp(people, edge, edge.limitCalls),
  },
  // These routes identify callers and limit their calls themselves.
  {
    part: "app-events",
    paths: ["/app/:organization/events", "/app/:organization/first-run"],
    takesTurns: true,
    serve: (edge) => callApp(events, edge),
  },
];

/** Configured by the environment; for the server and for commands that run next to it. */
export function openServerAccounts(
  env: Pick<
    AccountEnvironment,
    "MILLRACE_JOB_TOKEN_LIFETIME" | "MILLRACE_OIDC_PRIVATE_ISSUERS" | "MILLRACE_DOCS_NAMES"
  > &
    Pick<ServerEnvironment, "SITE_ORIGIN">,
  { mailer, ...options }: Omit<AccountFloor, "disk" | "haveTables"> & { mailer: Mailer | undefined },
): Accounts {
  return createAccounts({
    ...options,
    ...(mailer && { sendMail: mailer.sendMail }),
    origin: env.SITE_ORIGIN,
    jobTokenLifetimeMs: env.MILLRACE_JOB_TOKEN_LIFETIME,
    privateIssuers: env.MILLRACE_OIDC_PRIVATE_ISSUERS,
    namesReader: env.MILLRACE_DOCS_NAMES === "on",
  });
}

/** Undefined: no mail is sent. */
export function openMailer({
  MILLRACE_SMTP_URL: smtpUrl,
  MILLRACE_MAIL_FROM: from,
}: Pick<AccountEnvironment, "MILLRACE_SMTP_URL" | "MILLRACE_MAIL_FROM">): Mailer | undefined {
  return smtpUrl === undefined || from === undefined ? undefined : createMailer({ smtpUrl, from });
}

function providersOf({
  MILLRACE_OIDC_ISSUER: issuer,
  MILLRACE_OIDC_CLIENT_ID: clientId = "",
  MILLRACE_OIDC_CLIENT_SECRET: clientSecret = "",
  MILLRACE_OIDC_NAME: name,
  MILLRACE_GITHUB_CLIENT_ID: githubId,
  MILLRACE_GITHUB_CLIENT_SECRET: githubSecret = "",
}: AccountEnvironment) {
  return {
    ...(issuer && { oidc: { issuer, clientId, clientSecret, name: name ?? new URL(issuer).hostname } }),
    ...(githubId && { github: { clientId: githubId, clientSecret: githubSecret } }),
  };
}

interface Registered {
  accounts: Accounts;
  events: EventRoutes;
  isUp: () => boolean;
}

function registerMetrics(metrics: Metrics, { accounts, events: { streams }, isUp }: Registered): void {
  metrics.gauge("accounts_database_up", "Whether the database responded to the last check of /readyz.", () =>
    Number(isUp()),
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
    read: () => accounts.refusalReports.counts,
  });
}

async function describeOwner(accounts: Accounts): Promise<string | null> {
  const { hasOwner } = await ensureFirstOrganization(accounts);
  if (hasOwner) return null;
  const { url } = await makeOwnerLink(accounts);
  return `\nNo owner yet. Open this link, once, within an hour:\n${url}\n`;
}
