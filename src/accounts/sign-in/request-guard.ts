/** Shared by all addresses for people: identifying the caller, limits, request bodies, and answers. */
import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ZodType } from "zod";
import { BodyError, type BodyProblem, readText } from "#platform/http/read-body.ts";
import { isSameOrigin } from "#platform/http/addresses/same-origin.ts";
import type { Accounts } from "../contract/accounts.ts";
import type { UserActor } from "../contract/actor.ts";
import { identify } from "../identity/identify.ts";
import { Refused, type RefusalCode } from "../contract/refused.ts";
import { CONFIRM_HEADER, ConfirmationNeeded } from "../two-step/require-confirmed.ts";
import { type Admission, type AdmissionOptions, createAdmission } from "./admission/admission.ts";
import { findCookie } from "./browser/cookies.ts";
import { WorkAsked } from "./admission/work.ts";

/** A passkey's answer is about 2 KB. */
const MAX_BODY_BYTES = 32 * 1024;
const BODY_TIMEOUT_MS = 10_000;
const MAX_FIELD_LENGTH = 100;

/** The API's codes as HTTP statuses. */
const STATUSES: Record<RefusalCode, ContentfulStatusCode> = {
  invalid_argument: 400,
  failed_precondition: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  resource_exhausted: 429,
  unavailable: 503,
};
const BODY_STATUSES: Record<BodyProblem, ContentfulStatusCode> = {
  "too large": 413,
  "too slow": 408,
  "broken off": 400,
};

export interface RequestGuard extends Admission {
  accounts: Accounts;
  addressOf: (context: Context) => string;
  /** The person who is signed in in this browser. */
  readUser: (context: Context) => Promise<UserActor | null>;
  /** @throws Refused `unauthenticated` */
  requireUser: (context: Context) => Promise<UserActor>;
}

export type RequestGuardOptions = AdmissionOptions;

export function createRequestGuard(accounts: Accounts, options: RequestGuardOptions): RequestGuard {
  async function readUser(context: Context): Promise<UserActor | null> {
    const cookie = findCookie(context, accounts, "session");
    if (!cookie) return null;
    try {
      const actor = await identify(accounts, { cookie });
      return actor.kind === "user" ? actor : null;
    } catch (error) {
      if (error instanceof Refused && error.code === "unauthenticated") return null;
      throw error;
    }
  }
  return {
    ...createAdmission(accounts, readUser, options),
    accounts,
    addressOf: (context) => options.addressOf(context) ?? "",
    readUser,
    async requireUser(context) {
      const user = await readUser(context);
      if (!user) throw new Refused("unauthenticated", "sign in first");
      return user;
    },
  };
}

/** The body of a `POST` of one of the site's own pages. @throws Refused, BodyError */
export async function readBody<Body>(
  { accounts }: RequestGuard,
  context: Context,
  schema: ZodType<Body>,
): Promise<Body> {
  if (!isSameOrigin(context.req.raw, accounts.origin))
    throw new Refused("permission_denied", "only the site's own pages may send this request");
  if (!/^application\/json\b/i.test(context.req.header("content-type") ?? ""))
    throw new Refused("invalid_argument", "the body must be application/json");
  const text = await readText(context.req.raw, { maxBytes: MAX_BODY_BYTES, timeoutMs: BODY_TIMEOUT_MS });
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = (issue?.path.join(".") ?? "").slice(0, MAX_FIELD_LENGTH);
  const message = issue?.message.endsWith("received undefined")
    ? `${field} is missing`
    : `${field || "the body"}: ${issue?.message ?? "not valid"}`;
  throw new Refused("invalid_argument", message, field === "" ? {} : { field });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refused("invalid_argument", "the body is not valid JSON", { cause });
  }
}

/** Answers `Refused` and broken bodies; responses here must not be cached. */
export function answerRefusals(app: Hono, { accounts }: Pick<RequestGuard, "accounts">): void {
  app.use(async (context, next) => {
    await next();
    context.header("Cache-Control", "no-store");
  });
  app.onError((error, context) => {
    context.header("Cache-Control", "no-store");
    if (error instanceof Refused) {
      const { code, message, field } = error;
      const work = error instanceof WorkAsked ? { work: error.work } : {};
      const isUnconfirmed = error instanceof ConfirmationNeeded;
      if (isUnconfirmed) context.header(CONFIRM_HEADER.name, CONFIRM_HEADER.value);
      return context.json(
        { code, message, ...(field && { field }), ...work },
        isUnconfirmed ? 403 : STATUSES[code],
      );
    }
    if (error instanceof BodyError)
      return context.json({ code: "invalid_argument", message: error.message }, BODY_STATUSES[error.problem]);
    // The client has left: no one reads an answer, and nothing failed here.
    if (context.req.raw.signal.aborted) return context.body(null, 400);
    accounts.log.error("A request from a browser failed.", { error, path: context.req.routePath });
    return context.json({ code: "internal", message: "the server failed; its log says why" }, 500);
  });
}
