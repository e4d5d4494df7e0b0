/** The operator's counters of this process's builds. */
export interface LiveCounts {
  builderStarted: (ms: number) => void;
  received: (bytes: number) => void;
  ended: (state: string) => void;
  /** A build was given its place. */
  waited: (ms: number) => void;
  /** After that, for room on its builder's machine. */
  waitedForTurn: (ms: number) => void;
  readonly totals: BuildTotals;
}

export interface BuildTotals {
  readonly builderStarts: number;
  readonly builderStartMs: number;
  readonly receivedBytes: number;
  /** Granted places, and the milliseconds that builds waited for them and their turns. */
  readonly places: number;
  readonly waitedMs: number;
  readonly ended: ReadonlyMap<string, number>;
}

export function createLiveCounts(): LiveCounts {
  const ended = new Map([
    ["succeeded", 0],
    ["failed", 0],
    ["canceled", 0],
  ]);
  const totals = { builderStarts: 0, builderStartMs: 0, receivedBytes: 0, places: 0, waitedMs: 0, ended };
  return {
    totals,
    builderStarted(ms) {
      totals.builderStarts += 1;
      totals.builderStartMs += ms;
    },
    received(bytes) {
      totals.receivedBytes += bytes;
    },
    waited(ms) {
      totals.places += 1;
      totals.waitedMs += ms;
    },
    waitedForTurn: (ms) => void (totals.waitedMs += ms),
    ended: (state) => void ended.set(state, (ended.get(state) ?? 0) + 1),
  };
}
