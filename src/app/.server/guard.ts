/** Only owners of the server's first organization may use the console. No address is trusted. */
import type { Context } from "hono";
import {
  type Accounts,
  authorize,
  type Callers,
  createCallers,
  credentialsOf,
  type IsGone,
  Refused,
  TooManyRequestsError,
} from "#accounts/index.ts";
import { isSameOrigin } from "#platform/http/addresses/same-origin.ts";

export interface Refusal {
  isAllowed: false;
  status: 401 | 403 | 429 | 503;
  code: string;
  message: string;
  retryAfterSeconds?: number;
}

export type Verdict = { isAllowed: true } | Refusal;

/**
 * Judges a request by its headers: a browser's cookie, or a token.
 * @param address recorded as the place of the token's last use
 */
export type CheckOperator = (headers: Headers, address: string | null, isGone: IsGone) => Promise<Verdict>;

const ALLOWED: Verdict = { isAllowed: true };
const CONSOLE = { name: "the console", organizationId: null };
const STATUSES: { [code: string]: 401 | 503 } = { unauthenticated: 401, unavailable: 503 };

/** @param callers identifies callers and limits how often they may ask. Default: a limit for wrong tokens only */
export function createOperatorCheck(
  accounts: Accounts,
  callers: Callers = createCallers(accounts),
): CheckOperator {
  return async (headers, address, isGone) => {
    try {
      const actor = await callers.admit(credentialsOf(accounts, headers), address, isGone);
      const refusal = authorize(actor, "console.read", CONSOLE);
      return refusal ? refuse(refusal) : ALLOWED;
    } catch (error) {
      if (error instanceof Refused) return refuse(error);
      if (error instanceof TooManyRequestsError) return wait(error);
      throw error;
    }
  };
}

function refuse({ code, message }: Pick<Refused, "code" | "message">): Refusal {
  return { isAllowed: false, status: STATUSES[code] ?? 403, code, message };
}

function wait({ message, seconds }: TooManyRequestsError): Refusal {
  return {
    isAllowed: false,
    status: 429,
    code: "resource_exhausted",
    message,
    retryAfterSeconds: seconds,
  };
}

/** Requests that change something must come from the console's own page, as JSON. */
export function checkChange(context: Context, origin: string): Verdict {
  if (!isSameOrigin(context.req.raw, origin))
    return refuse({
      code: "permission_denied",
      message: "Only the console's own page can send requests to this address.",
    });
  if (!/^application\/json\b/i.test(context.req.header("content-type") ?? ""))
    return refuse({ code: "permission_denied", message: "The body must be application/json." });
  return ALLOWED;
}
