export type RefusalReason =
  | "foreign origin"
  | "too large"
  | "too many events"
  | "too many requests"
  | "not readable"
  | "not valid"
  | "switched off"
  | "no consent";

const statusOf: { [reason in RefusalReason]: 400 | 403 | 404 | 413 | 429 } = {
  "foreign origin": 403,
  "too large": 413,
  "too many events": 400,
  "too many requests": 429,
  "not readable": 400,
  "not valid": 400,
  "switched off": 404,
  "no consent": 400,
};

/** A request that is not taken: why, in words for who sent it, and under which name it is counted. */
export class Refusal extends Error {
  readonly reason: RefusalReason;
  readonly status: 400 | 403 | 404 | 413 | 429;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.name = "Refusal";
    this.reason = reason;
    this.status = statusOf[reason];
  }
}
