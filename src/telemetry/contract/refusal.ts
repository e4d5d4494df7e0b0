export type RefusalReason =
  | "foreign origin"
  | "not JSON"
  | "too large"
  | "too slow"
  | "too complex"
  | "too many events"
  | "too many requests"
  | "network limit used up"
  | "shared limit used up"
  | "not readable"
  | "not valid"
  | "switched off"
  | "no consent"
  | "busy"
  | "not kept"
  | "disk full";

export type RefusalStatus = 400 | 403 | 404 | 408 | 413 | 415 | 429 | 503 | 507;

const STATUS_OF: { [reason in RefusalReason]: RefusalStatus } = {
  "foreign origin": 403,
  "not JSON": 415,
  "too large": 413,
  "too slow": 408,
  "too complex": 413,
  "too many events": 400,
  "too many requests": 429,
  "network limit used up": 429,
  "shared limit used up": 429,
  "not readable": 400,
  "not valid": 400,
  "switched off": 404,
  "no consent": 400,
  busy: 503,
  "not kept": 503,
  "disk full": 503,
};

/** A refused request: the reason, in words for its sender, and the name under which it is counted. */
export class Refusal extends Error {
  readonly reason: RefusalReason;
  readonly status: RefusalStatus;
  /** Seconds, for `Retry-After`; null when the same request would never be accepted. */
  readonly retryAfter: number | null;

  constructor(reason: RefusalReason, message: string, retryAfter: number | null = null) {
    super(message);
    this.name = "Refusal";
    this.reason = reason;
    this.status = STATUS_OF[reason];
    this.retryAfter = retryAfter;
  }
}

export function tooManyRequests(seconds: number): Refusal {
  const unit = seconds === 1 ? "second" : "seconds";
  return new Refusal("too many requests", `Too many requests. Try again in ${seconds} ${unit}.`, seconds);
}
