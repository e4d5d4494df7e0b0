/** How long each stage of a search took, for callers that ask. */
export type SearchStage =
  | "evaluate filter"
  | "tokenize query"
  | "evaluate query"
  | "keyword ranking"
  | "facet distribution"
  | "format";

export interface Trace {
  add(stage: SearchStage, milliseconds: number): void;
}

interface Traced {
  trace?: Trace;
  now?: () => number;
}

/** Runs a stage and adds the time that it took. */
export function timed<T>({ trace, now = Date.now }: Traced, stage: SearchStage, run: () => T): T {
  if (!trace) return run();
  const started = now();
  try {
    return run();
  } finally {
    trace.add(stage, now() - started);
  }
}
