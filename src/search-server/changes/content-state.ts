/** Shared by the tasks on indexes: the kinds of work, and what they work with. */
import type { BuildProgress, IndexBuilder } from "./builder.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { IndexFiles } from "../catalog/index-files.ts";
import type { PayloadStore } from "../catalog/payload-store.ts";
import type { ChangeWork } from "./change-work.ts";
import type { SearchLimits } from "../protocol/limits.ts";
import type { RuleBook, RuleWork } from "./rule-book.ts";
import type { SearchStore } from "../catalog/store.ts";

/** Stored in the catalog as JSON: a new version must understand what an older one has written. */
export type ContentWork =
  | { kind: "change"; change: ChangeWork }
  | { kind: "createIndex"; primaryKey: string | null }
  | { kind: "deleteIndex" }
  /**
   * `renamed`: the first of a pair only gets the second's name, which must be free. Absent in older versions'
   * data.
   */
  | { kind: "swap"; pairs: [string, string][]; renamed?: boolean[] }
  | { kind: "rename"; to: string; primaryKey: string | null }
  | RuleWork
  /** Already done when it was enqueued; the task only reports it. */
  | { kind: "report" };

export interface ContentState {
  store: SearchStore;
  catalog: Catalog;
  /** null: nothing outlives the process. */
  files: IndexFiles | null;
  payloads: PayloadStore;
  builder: IndexBuilder;
  rules: RuleBook;
  clock: () => Date;
  limits: SearchLimits;
  /** Throws for an index that must not be changed. */
  checkWritable: (uids: readonly string[], mayBeUnusable?: boolean) => void;
  onError: (error: unknown) => void;
  progress: BuildProgress | null;
}
