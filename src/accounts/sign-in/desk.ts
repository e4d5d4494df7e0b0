/** What all addresses for people share: who sends, how much of it, what they sent, and how they are answered. */
import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ZodType } from "zod";
import { type AddressOf, addressKey } from "#platform/http/client-address.ts";
import { createRateLimit, type RateLimit } from "#platform/http/rate-limit.ts";
import { BodyError, type BodyProblem, readText } from "#platform/http/read-body.ts";
import { isSameOrigin } from "#platform/http/same-origin.ts";
import type { Accounts } from "../accounts.ts";
import type { UserActor } from "../actor.ts";
import { identify } from "../identify.ts";
import { Refused, type RefusalCode } from "../refused.ts";
import { findCookie } from "./cookies.ts";

/** A passkey's answer has 2 KB. */
const MAX_BODY_BYTES = 32 * 1024;
const BODY_TIMEOUT_MS = 10_000;
const MAX_FIELD_LENGTH = 100;

/** For one client and minute. An office behind one address signs in at nine o'clock. */
const LIMITS = {
  /** Opening and using links and invitations. 60 random bits need no more. */
  link: 60,
  passkey: 120,
  mail: 10,
  provider: 60,
  device: 20,
  poll: 240,
  /** Codes that nobody waits for: 34 random bits, and each of them lives for 15 minutes. */
  code: 20,
} as const;
export type LimitName = keyof typeof LIMITS;

/** The API's codes, as HTTP has them. */
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

export interface Desk {
  accounts: Accounts;
  addressOf: (context: Context) => string;
  /** @throws Refused `resource_exhausted` when this client asks too often */
  admit: (context: Context, limit: LimitName) => void;
  /** As `admit`, without counting. */
  mayTry: (context: Context, limit: LimitName) => void;
  /** The person whose browser this is. */
  readUser: (context: Context) => Promise<UserActor | null>;
  /** @throws Refused `unauthenticated` */
  requireUser: (context: Context) => Promise<UserActor>;
}

export interface DeskOptions {
  addressOf: AddressOf;
  /** Multiplies how often one client may ask; 0 takes the limits away. */
  rateLimitFactor?: number;
}

export function createDesk(accounts: Accounts, { addressOf, rateLimitFactor = 1 }: DeskOptions): Desk {
  const { clock } = accounts;
  const limits = new Map<LimitName, RateLimit>(
    // The names are those of the table.
    (Object.entries(LIMITS) as [LimitName, number][]).map(([name, perMinute]) => [
      name,
      createRateLimit({
        perMinute: perMinute * rateLimitFactor,
        burst: Math.max(1, perMinute * rateLimitFactor),
        clock,
      }),
    ]),
  );
  function check(context: Context, name: LimitName, how: "take" | "wait"): void {
    if (rateLimitFactor === 0) return;
    const seconds = limits.get(name)?.[how](addressKey(addressOf(context))) ?? 0;
    if (seconds === 0) return;
    throw tooMany(context, seconds);
  }
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
    accounts,
    addressOf: (context) => addressOf(context) ?? "",
    admit: (context, name) => check(context, name, "take"),
    mayTry: (context, name) => check(context, name, "wait"),
    readUser,
    async requireUser(context) {
      const user = await readUser(context);
      if (!user) throw new Refused("unauthenticated", "sign in first");
      return user;
    },
  };
}

/** Sets `Retry-After` as well. */
export function tooMany(context: Context, seconds: number): Refused {
  context.header("Retry-After", String(seconds));
  return new Refused("resource_exhausted", `too many requests; try again in ${seconds} s`);
}

/** The body of a `POST` of one of the site's own pages. @throws Refused, BodyError */
export async function readBody<Body>(
  { accounts }: Desk,
  context: Context,
  schema: ZodType<Body>,
): Promise<Body> {
  if (!isSameOrigin(context.req.raw, accounts.origin))
    throw new Refused("permission_denied", "only the site's own pages may send here");
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

/** Answers `Refused` and broken bodies; nothing that is answered here may be kept. */
export function answerRefusals(app: Hono, { accounts }: Pick<Desk, "accounts">): void {
  app.use(async (context, next) => {
    await next();
    context.header("Cache-Control", "no-store");
  });
  app.onError((error, context) => {
    context.header("Cache-Control", "no-store");
    if (error instanceof Refused) {
      const { code, message, field } = error;
      return context.json({ code, message, ...(field && { field }) }, STATUSES[code]);
    }
    if (error instanceof BodyError)
      return context.json({ code: "invalid_argument", message: error.message }, BODY_STATUSES[error.problem]);
    // The client has gone: nobody reads an answer, and nothing went wrong here.
    if (context.req.raw.signal.aborted) return context.body(null, 400);
    accounts.log.error("An address for people failed.", { error, path: context.req.routePath });
    return context.json({ code: "internal", message: "the server failed; its log says why" }, 500);
  });
}
