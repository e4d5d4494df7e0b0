/** An upstream's failure: an expected outcome. */

/**
 *   missing   it has no such thing
 *   refused   it wants other credentials
 *   busy      it limits requests
 *   away      it is unreachable, or its answer is invalid
 */
export type UpstreamProblem = "missing" | "refused" | "busy" | "away";

/** The message completes "docker.io …". */
export class UpstreamError extends Error {
  readonly problem: UpstreamProblem;
  /** For a busy upstream. */
  readonly retrySeconds: number | undefined;

  constructor(
    problem: UpstreamProblem,
    message: string,
    options: { cause?: unknown; retrySeconds?: number | undefined } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "UpstreamError";
    this.problem = problem;
    this.retrySeconds = options.retrySeconds;
  }
}
