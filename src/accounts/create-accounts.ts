/** Makes the context that every operation takes first. */
import { randomBytes } from "node:crypto";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { Log } from "#platform/log/log.ts";
import type { Accounts, Mail } from "./contract/accounts.ts";
import { EventFeed } from "./events/event-feed.ts";
import { createRefusalReports } from "./events/refusal-reports.ts";
import { createIdentityCache } from "./identity/identity-cache.ts";
import type { RandomBytes } from "./contract/ids.ts";
import { FLUSH_EVERY_MS, JOB_TOKEN_LIFETIME_MS } from "./contract/limits.ts";
import type { AccountDatabase } from "./records/schema.ts";
import { createUseBuffer } from "./identity/use-buffer.ts";

export interface AccountsOptions {
  database: AccountDatabase;
  /** `https://build.acme.example` */
  origin: string;
  /** The server's version. */
  version: string;
  log: Log;
  /** 32 bytes. */
  secretKey: Uint8Array;
  /** Milliseconds since 1970. */
  clock?: () => number;
  randomBytes?: RandomBytes;
  jobTokenLifetimeMs?: number;
  /** Absent or null: the server cannot send mail. */
  sendMail?: ((mail: Mail) => Promise<void>) | null;
  /** Hosts whose issuers may be private and without TLS: MILLRACE_OIDC_PRIVATE_ISSUERS. */
  privateIssuers?: Iterable<string>;
  /** Default: true. */
  namesReader?: boolean;
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { database, origin, version, log, secretKey, clock = Date.now } = options;
  const events = new EventFeed({ database, log });
  const uses = createUseBuffer(database, clock, () => events.wake());
  const refusalReports = createRefusalReports({ database, clock, log, onWritten: () => events.wake() });
  const reportUnwritten = (error: unknown) => log.warn("Could not write some usage records.", { error });
  const flushing = startPeriodicJob({
    name: "accounts.flush",
    everyMs: FLUSH_EVERY_MS,
    run: () => uses.flush(),
    onError: reportUnwritten,
  });
  return {
    database,
    db: database.db,
    origin,
    version,
    log,
    secretKey,
    clock,
    randomBytes: options.randomBytes ?? randomBytes,
    jobTokenLifetimeMs: options.jobTokenLifetimeMs ?? JOB_TOKEN_LIFETIME_MS,
    sendMail: options.sendMail ?? null,
    privateIssuers: new Set(options.privateIssuers),
    namesReader: options.namesReader ?? true,
    cache: createIdentityCache(clock),
    uses,
    events,
    refusalReports,
    ownerTokenHash: null,
    async close() {
      await Promise.all([flushing.stop(), refusalReports.stop(), events.stop()]);
      await uses.flush().catch(reportUnwritten);
      await refusalReports.flush().catch(reportUnwritten);
    },
  };
}
