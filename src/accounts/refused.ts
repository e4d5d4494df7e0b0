/** What an operation may not or cannot do: an expected outcome that ends its transaction. */
export type RefusalCode =
  | "invalid_argument"
  | "failed_precondition"
  | "unauthenticated"
  | "permission_denied"
  | "not_found"
  | "already_exists"
  | "resource_exhausted"
  | "unavailable";

/** The codes are the API's. The message is for people and has no secret. */
export class Refused extends Error {
  readonly code: RefusalCode;
  /** The field of the request that is wrong, as the API spells it: `page_size`. */
  readonly field: string | undefined;

  constructor(code: RefusalCode, message: string, details: { field?: string; cause?: unknown } = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "Refused";
    this.code = code;
    this.field = details.field;
  }
}
