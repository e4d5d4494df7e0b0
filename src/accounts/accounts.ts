/** The context that every operation takes first: where records are, and what this process remembers. */
import { randomBytes } from "node:crypto";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { Log } from "#platform/log/log.ts";
import { EventFeed } from "./events/event-feed.ts";
import { createRefusalReports, type RefusalReports } from "./events/refusal-reports.ts";
import { createIdentityCache, type IdentityCache } from "./identity/identity-cache.ts";
import type { RandomBytes } from "./ids.ts";
import { FLUSH_EVERY_MS, JOB_TOKEN_LIFETIME_MS } from "./limits.ts";
import type { AccountDatabase } from "./schema.ts";
import { createUseBuffer, type UseBuffer } from "./identity/use-buffer.ts";

/** A mail as text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

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
}

export interface Accounts {
  readonly database: AccountDatabase;
  readonly db: AccountDatabase["db"];
  readonly origin: string;
  readonly version: string;
  readonly log: Log;
  readonly secretKey: Uint8Array;
  readonly clock: () => number;
  readonly randomBytes: RandomBytes;
  readonly jobTokenLifetimeMs: number;
  readonly sendMail: ((mail: Mail) => Promise<void>) | null;
  readonly privateIssuers: ReadonlySet<string>;
  readonly cache: IdentityCache;
  readonly uses: UseBuffer;
  /** Changes, for readers of the event stream. */
  readonly events: EventFeed;
  /** Refusals, for readers of the event stream. */
  readonly refusalReports: RefusalReports;
  /** SHA-256 of MILLRACE_OWNER_TOKEN, the only token that needs no checksum. */
  ownerTokenHash: string | null;
  /** Writes pending counts and uses. The database stays open. */
  close: () => Promise<void>;
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
