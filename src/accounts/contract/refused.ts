/** The refusal of an operation: an expected outcome that ends its transaction. */
export type RefusalCode =
  | "invalid_argument"
  | "failed_precondition"
  | "unauthenticated"
  | "permission_denied"
  | "not_found"
  | "already_exists"
  | "resource_exhausted"
  | "unavailable";

/** The token that was shown, if this server knows or knew it. */
export interface ShownToken {
  type: "user" | "org" | "project" | "job";
  tokenId: string;
  name: string;
  /** Null: a person's token. */
  organizationId: string | null;
  userId: string | null;
  projectId: string | null;
}

export interface RefusalDetails {
  field?: string;
  cause?: unknown;
  /** What to do instead, as a part of a sentence, for readers of the event stream. */
  advice?: string;
  token?: ShownToken;
  organizationId?: string | null;
}

/** The codes are the API's. The message is for people and contains no secret. */
export class Refused extends Error {
  readonly code: RefusalCode;
  /** The field of the request that is wrong, as the API spells it: `page_size`. */
  readonly field: string | undefined;

  readonly advice: string | undefined;
  /** A token that has ended. */
  readonly token: ShownToken | undefined;
  /** The organization of the requested object; null: none, or unknown. */
  readonly organizationId: string | null;

  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "Refused";
    this.code = code;
    this.field = details.field;
    this.advice = details.advice;
    this.token = details.token;
    this.organizationId = details.organizationId ?? null;
  }
}
