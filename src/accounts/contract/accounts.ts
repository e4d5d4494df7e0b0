/** The context that every operation takes first: where records are, and what this process remembers. */
import type { Log } from "#platform/log/log.ts";
import type { Feed, RefusalReports } from "./events.ts";
import type { IdentityCache, UseBuffer } from "./identities.ts";
import type { RandomBytes } from "./ids.ts";
import type { AccountDatabase } from "../records/schema.ts";

/** A mail as text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
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
  /** Whether the documentation may show signed-in readers their own names: MILLRACE_DOCS_NAMES. */
  readonly namesReader: boolean;
  readonly cache: IdentityCache;
  readonly uses: UseBuffer;
  /** Changes, for readers of the event stream. */
  readonly events: Feed;
  /** Refusals, for readers of the event stream. */
  readonly refusalReports: RefusalReports;
  /** SHA-256 of MILLRACE_OWNER_TOKEN, the only token that needs no checksum. */
  ownerTokenHash: string | null;
  /** Writes pending counts and uses. The database stays open. */
  close: () => Promise<void>;
}
