/**
 * Work that can be interrupted: a generator that yields where another task may have its turn, and returns its result.
 * Nothing that is shared between searches may be half read when it yields.
 */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all steps in one go. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
