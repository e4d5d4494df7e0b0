/**
 * The base of every tool's protocol: access to namespaces, their entries, and the entries' bytes.
 *
 *   protocol (tools/*) ─► grant ─► find ─► open the blob
 *                              └─► receive ─► put
 */
import type { Accounts, Actor, Page, PageInput } from "#accounts/index.ts";
import type { Blob, Blobs } from "#platform/blobs/blobs.ts";
import type { BlobEncoding } from "#platform/blobs/schema.ts";
import type { ReceivedBlob, Upload } from "#platform/blobs/upload.ts";
import type { Miss } from "./misses.ts";
import type { Simulation } from "./simulation.ts";
import type { Tool } from "./tools.ts";

/** A caller's rights in the namespace of a tool, and where they apply. Remembered for a connection's requests. */
export interface Grant {
  tool: Tool;
  organizationId: string;
  /** The name of the overlay for writes; "": none. */
  overlay: string;
  /** Namespaces in which entries are looked for, in this order: an overlay, then the trusted one. */
  reads: readonly string[];
  /** The namespace for writes; null: none, and `refusal` says why. */
  writes: string | null;
  /** The writer. */
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

/** A tool's description of the work whose result was missing; "" for what it does not say. */
export interface MissNote {
  /** `//app:server` */
  target: string;
  /** The kind of work: `CppCompile`. */
  mnemonic: string;
  /** The run of the tool. */
  invocation: string;
}

export interface ReceiveOptions {
  /** Decoded bytes, if the client announces them: too many are refused immediately, and extra bytes as soon as they arrive. */
  size?: number | undefined;
  encoding?: BlobEncoding;
  /** Called once, when the upload is finished or aborted. */
  onEnd?: () => void;
}

/** A token or a job that writes. */
export interface Writer {
  /** `cwr_…` */
  id: string;
  /** `tok_…`; for a person in a browser `usr_…`. */
  tokenId: string;
  name: string;
  kind: "user" | "organization" | "job";
  projectId: string | null;
  /** For a job, as its issuer vouched for it. */
  subject: string | null;
  commitSha: string | null;
  ref: string | null;
  runUrl: string | null;
  firstAt: number;
  /** Exact to the hour. */
  lastAt: number;
  /** Existing entries, `MAX_COUNTED_ENTRIES` at most. */
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
  /** Including those of overlays. */
  entries: number;
  bytes: number;
  quotaBytes: number;
  /** In the last 24 hours. */
  hits: number;
  misses: number;
  /** The last request in the queried time; null: there was none. */
  lastAt: number | null;
  /** 24 hours or 14 days, the latest last; none when it was not requested. */
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
   * @param actor as `identify` found it
   * @param right "write" is also given to jobs with the right `overlay`, which write to an overlay
   * @throws Refused
   */
  grant(actor: Actor, tool: Tool, right: "read" | "write"): Promise<Grant>;
  /** Counts as a hit or a miss, and as a use. A damaged entry is a miss. */
  find(grant: Grant, key: string): Promise<FoundEntry | undefined>;
  /** A part of an entry that was a hit: counts as its use, and neither as a hit nor as a miss. */
  findPart(grant: Grant, key: string): Promise<FoundEntry | undefined>;
  /** Which of the keys exist; counts as their use, and neither as hits nor as misses. Sizes in bytes by key. */
  findMany(grant: Grant, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** For a found entry that is useless or damaged: the hit becomes a miss, and the entry is forgotten. */
  countMiss(grant: Grant, key: string): void;
  /** Explains the miss to people who ask later; called after `find` or `countMiss`. */
  noteMiss(grant: Grant, key: string, reason: MissNote): void;
  /** @throws UploadError "too large" */
  receive(grant: Grant, options?: ReceiveOptions): Upload;
  /**
   * Puts an entry, or replaces one; durable when it resolves. The later of two writers of one key wins.
   * @throws Refused for a caller that may not write
   */
  put(grant: Grant, key: string, received: ReceivedBlob, meta?: string): Promise<void>;
  /**
   * Removes everything written until now, in the overlays too.
   * @param address of the caller, for the audit log
   * @returns bytes that are freed in the namespace
   * @throws Refused
   */
  reset(actor: Actor, tool: Tool, address?: string): Promise<number>;
  /**
   * Removes everything that one token or job has written until now, for every tool. It may still write.
   * @throws Refused
   */
  purge(actor: Actor, of: { writerId: string } | { tokenId: string }, address?: string): Promise<Removed>;
  /** Stored data, and how it was used. @throws Refused */
  usage(actor: Actor, question?: UsageQuestion): Promise<readonly ToolUsage[]>;
  /** The bytes of all tools' entries, as `usage` says them. */
  countBytes(of: { organizationId: string }): Promise<number>;
  /** Writers of entries that still exist, the latest first. @throws Refused */
  listWriters(actor: Actor, tool: Tool): Promise<readonly Writer[]>;
  /** The largest entries, of one tool or all. @throws Refused */
  listLargeEntries(actor: Actor, tool?: Tool): Promise<readonly LargeEntry[]>;
  /** The writer of an entry; does not count as a use. */
  whoWrote(grant: Grant, key: string): Promise<Omit<Writer, "entries"> | undefined>;
  /** The last requests that missed, the latest first, and why. @throws Refused */
  listMisses(actor: Actor, question: { tool: Tool } & PageInput): Promise<Page<Miss>>;
  /** The hit rates with other quotas. @throws Refused */
  simulate(actor: Actor, tool: Tool): Promise<Simulation>;
  /** Writes what was counted and ends background work. The database stays open. */
  close(): Promise<void>;
}
