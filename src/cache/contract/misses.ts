/** Requests that missed, and why. */

/** Why an entry was removed. */
export type RemovalReason = "quota" | "unused" | "reset" | "purge";

export interface Difference {
  /** The kind of thing: `argument`, `environment`, `platform`, `inputs`, `file`, `dependency`, … */
  kind: string;
  /** The thing's name; "" where there is only one. */
  name: string;
  /** "": it was missing, or must not be shown. */
  before: string;
  after: string;
}

export interface Miss {
  key: string;
  /** The last time. */
  missedAt: number;
  /** How often since it was first remembered. */
  times: number;
  /**
   * `removed`: it was here before. `incomplete`: it was here, but something that it names was not. `changed`: this key was
   * never seen, and the result of the same work had another key. `new`: nothing like it is known; for a job `nearestAt` and
   * `differences` then describe the last other commit of its project that has stored results.
   */
  reason: "removed" | "incomplete" | "changed" | "new";
  target: string;
  mnemonic: string;
  invocation: string;
  writtenAt: number | null;
  removedAt: number | null;
  removedBecause: RemovalReason | "";
  nearestKey: string;
  nearestAt: number | null;
  /** Null: the result was not written since, or its inputs or the earlier result's inputs are unknown. */
  differences: readonly Difference[] | null;
}
