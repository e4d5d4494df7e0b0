/**
 * What every tool's protocol is built on: who may use which namespace, entries in it, and their bytes.
 *
 *   protocol (tools/*) ─► grant ─► find ─► open the blob
 *                              └─► receive ─► put
 */
import type { Accounts, Actor, Page, PageInput } from "#accounts/index.ts";
import type { Blob, Blobs } from "#platform/blobs/blobs.ts";
import type { BlobEncoding } from "#platform/blobs/schema.ts";
import type { ReceivedBlob, Upload } from "#platform/blobs/upload.ts";
import type { Miss } from "./misses/list-misses.ts";
import type { Simulation } from "./simulate/simulate.ts";
import type { Tool } from "./tools.ts";

/** What a caller may do in the namespace of a tool, and where. Remembered for a connection's requests. */
export interface Grant {
  tool: Tool;
  organizationId: string;
  /** The name of the overlay that is written to; "": none. */
  overlay: string;
  /** Namespaces in which entries are looked for, in this order: an overlay, then the trusted one. */
  reads: readonly string[];
  /** The namespace that is written to; null: none, and `refusal` says why. */
  writes: string | null;
  /** Who writes. */
  actor: Actor;
}

/** An entry that was found, with its bytes. */
export interface FoundEntry {
  key: string;
  blob: Blob;
  /** As it was put. */
  meta: string;
  writtenAt: number;
}

/** What a tool says of the work whose result was not there; "" for what it does not say. */
export interface MissNote {
  /** `//app:server` */
  target: string;
  /** The kind of work: `CppCompile`. */
  mnemonic: string;
  /** Of the run of the tool. */
  invocation: string;
}

export interface ReceiveOptions {
  /** Decoded bytes, where the client has said: refused at once when they are too many, and as soon as more come. */
  size?: number | undefined;
  encoding?: BlobEncoding;
  /** Called once, when the upload is finished or aborted. */
  onEnd?: () => void;
}

/** A token or a job that writes. */
export interface Writer {
  /** `cwr_…` */
  id: string;
  /** `tok_…`; of a person in a browser `usr_…`. */
  tokenId: string;
  name: string;
  kind: "user" | "organization" | "job";
  projectId: string | null;
  /** Of a job, as its issuer vouched for it. */
  subject: string | null;
  commitSha: string | null;
  ref: string | null;
  runUrl: string | null;
  firstAt: number;
  /** Exact to the hour. */
  lastAt: number;
  /** Those that are there, `MAX_COUNTED_ENTRIES` at most. */
  entries: number;
}

export interface Removed {
  entries: number;
  bytes: number;
}

export interface UsageCount {
  /** When the hour or the day (of UTC) began. */
  startAt: number;
  hits: number;
  misses: number;
  readBytes: number;
  writtenBytes: number;
}

export interface ToolUsage {
  tool: Tool;
  /** With those of overlays. */
  entries: number;
  bytes: number;
  quotaBytes: number;
  /** Of the last 24 hours. */
  hits: number;
  misses: number;
  /** Of the last request in the time that was asked for; null: there was none. */
  lastAt: number | null;
  /** 24 hours or 14 days, the latest last; none when it was not asked for. */
  counts: UsageCount[];
}

export interface LargeEntry {
  tool: Tool;
  key: string;
  size: number;
  writtenAt: number;
  usedAt: number;
  /** The name of the token or person. */
  writer: string;
}

export interface UsageQuestion {
  /** Absent: every tool that has been used. */
  tool?: Tool | undefined;
  interval?: "hour" | "day" | undefined;
}

export interface Cache {
  readonly accounts: Accounts;
  readonly blobs: Blobs;
  /**
   * @param actor as `identify` has found it
   * @param right "write" is also given to jobs with the right `overlay`, which write to an overlay
   * @throws Refused
   */
  grant(actor: Actor, tool: Tool, right: "read" | "write"): Promise<Grant>;
  /** Counts as a hit or a miss, and as a use. A damaged entry is a miss. */
  find(grant: Grant, key: string): Promise<FoundEntry | undefined>;
  /** What belongs to an entry that was a hit: counts as its use, and neither as a hit nor as a miss. */
  findPart(grant: Grant, key: string): Promise<FoundEntry | undefined>;
  /** Which of the keys are there; counts as their use, and neither as hits nor as misses. Sizes in bytes by key. */
  findMany(grant: Grant, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** For what was found, and turns out to be worth nothing, or damaged: a hit becomes a miss, and it is forgotten. */
  countMiss(grant: Grant, key: string): void;
  /** For who asks later why it missed; called after `find` or `countMiss`. */
  noteMiss(grant: Grant, key: string, reason: MissNote): void;
  /** @throws UploadError "too large" */
  receive(grant: Grant, options?: ReceiveOptions): Upload;
  /**
   * Puts it, or puts it in the place of another; durable when it resolves. Of two writers of one key the later one wins.
   * @throws Refused for who may not write
   */
  put(grant: Grant, key: string, received: ReceivedBlob, meta?: string): Promise<void>;
  /**
   * Removes what was written until now, in the overlays too.
   * @param address from where, for the audit log
   * @returns bytes that are freed in the namespace
   * @throws Refused
   */
  reset(actor: Actor, tool: Tool, address?: string): Promise<number>;
  /**
   * Removes all that one token or job has written until now, for every tool. It may still write.
   * @throws Refused
   */
  purge(actor: Actor, of: { writerId: string } | { tokenId: string }, address?: string): Promise<Removed>;
  /** What is held, and how it was used. @throws Refused */
  usage(actor: Actor, question?: UsageQuestion): Promise<readonly ToolUsage[]>;
  /** Who has written entries that are still there, the latest first. @throws Refused */
  listWriters(actor: Actor, tool: Tool): Promise<readonly Writer[]>;
  /** The largest entries, of one tool or all. @throws Refused */
  listLargeEntries(actor: Actor, tool?: Tool): Promise<readonly LargeEntry[]>;
  /** Who wrote an entry; counts as nothing. */
  whoWrote(grant: Grant, key: string): Promise<Omit<Writer, "entries"> | undefined>;
  /** The last requests that missed, the latest first, and why. @throws Refused */
  listMisses(actor: Actor, question: { tool: Tool } & PageInput): Promise<Page<Miss>>;
  /** What the hit rate would have been with other quotas. @throws Refused */
  simulate(actor: Actor, tool: Tool): Promise<Simulation>;
  /** Writes what was counted and ends background work. The database stays open. */
  close(): Promise<void>;
}
