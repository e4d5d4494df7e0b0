import type { Context } from "hono";
import type { AddressOf } from "#platform/http/client-address.ts";
import { createRateLimit } from "#platform/http/rate-limit.ts";
import type { TelemetryLimits } from "../limits.ts";
import type { NotKept } from "../store/telemetry-store.ts";
import { browserFamily } from "./user-agent.ts";
import { type BodyLane, createBodyLane } from "./body-lane.ts";
import { removeSender } from "./clean-text.ts";
import { Refusal, type RefusalReason, tooManyRequests } from "./refusal.ts";
import type { SenderKeys } from "./sender.ts";

export interface Intake {
  /** Checks origin and rate. @throws Refusal */
  admit: (context: Context) => void;
  /** Counts events of an admitted request. @throws Refusal when an address or all of them send too many. */
  countEvents: (context: Context, count: number) => void;
  /** Counts bytes of an admitted request, as they are parsed. @throws Refusal when an address sends too many. */
  countBytes: (context: Context, count: number) => void;
  /** Bodies are inflated and read in here. */
  lane: BodyLane;
  /** Those of recordings, to their commit. */
  recordingLane: BodyLane;
  /** Takes the sender's address and user agent out of a body. */
  clean: (context: Context, text: string) => string;
  accept: (endpoint: string, count: number) => void;
  refuse: (endpoint: string, reason: RefusalReason, count?: number) => void;
  /** A key for the sender that lives in memory for a minute; it is never written. */
  keyOf: (context: Context) => string;
  health: () => { accepted: { [endpoint: string]: number }; refused: Refused[] };
}

interface Refused {
  endpoint: string;
  reason: string;
  count: number;
}

export interface IntakeOptions {
  /** The address that readers see. */
  origin: string;
  limits: TelemetryLimits;
  clock: () => number;
  keys: SenderKeys;
  addressOf: AddressOf;
}

/** What every endpoint does before it reads a body, and the counters that the console shows. */
export function createIntake({ origin, limits, clock, keys, addressOf }: IntakeOptions): Intake {
  const accepted: { [endpoint: string]: number } = {};
  const refused = new Map<string, Refused>();
  const keyOf = keys.ofAddress;
  const limitOf = (perMinute: number) => createRateLimit({ perMinute, clock });
  const requests = limitOf(limits.requestsPerAddress);
  const events = limitOf(limits.eventsPerAddress);
  const bytes = limitOf(limits.bytesPerAddress);
  const allEvents = limitOf(limits.eventsPerMinute);

  /** @param seconds until there is enough; 0: there is */
  const refuseAfter = (seconds: number) => {
    if (seconds > 0) throw tooManyRequests(seconds);
  };
  return {
    admit(context) {
      requireSameOrigin(context.req.raw, origin);
      refuseAfter(requests.take(keyOf(context)));
    },
    countEvents: (context, count) =>
      refuseAfter(events.take(keyOf(context), count) || allEvents.take("", count)),
    countBytes: (context, count) => refuseAfter(bytes.take(keyOf(context), count)),
    lane: createBodyLane({ atOnce: limits.bodiesAtOnce, waitingBytes: limits.waitingBodyBytes }),
    recordingLane: createBodyLane({ atOnce: limits.snapshotsAtOnce, waitingBytes: limits.waitingBodyBytes }),
    clean(context, text) {
      const userAgent = context.req.header("user-agent") ?? null;
      return removeSender(text, { address: addressOf(context), userAgent }, browserFamily(userAgent));
    },
    accept(endpoint, count) {
      accepted[endpoint] = (accepted[endpoint] ?? 0) + count;
    },
    refuse(endpoint, reason, count = 1) {
      const key = `${endpoint} ${reason}`;
      const entry = refused.get(key) ?? { endpoint, reason, count: 0 };
      entry.count += count;
      refused.set(key, entry);
    },
    keyOf,
    health: () => ({ accepted: { ...accepted }, refused: [...refused.values()] }),
  };
}

/** @throws Refusal for what another site's page sends */
function requireSameOrigin(request: Request, origin: string): void {
  if (!isSameOrigin(request, origin))
    throw new Refusal("foreign origin", "Only this site's own pages may send here.");
}

/** Forms of other sites' pages cannot send this type without being asked first. @throws Refusal */
export function requireJson(request: Request): void {
  if (!/^application\/json(?:[;\s]|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new Refusal("not JSON", "The body must be application/json.");
}

/** What a route answers when the database has not taken its rows: the SDKs send them again. @throws Refusal */
export function requireKept<Success extends { isKept: true }>(
  outcome: Success | NotKept,
): asserts outcome is Success {
  if (outcome.isKept) return;
  // The reason names files of this machine: it goes to the log and to the console.
  const [reason, cause]: [RefusalReason, string] = outcome.isDiskFull
    ? ["disk full", "The disk is full"]
    : ["not kept", "The database takes nothing at the moment"];
  throw new Refusal(
    reason,
    `${cause}: nothing was kept. Try again in ${retrySeconds} seconds.`,
    retrySeconds,
  );
}

/** Seconds until a database that is away or busy is asked again. */
const retrySeconds = 10;

/**
 * Browsers say where a request comes from: `Sec-Fetch-Site`, older ones `Origin`. What says neither is no page of a
 * foreign site.
 */
export function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const from = request.headers.get("origin");
  if (from === null) return true;
  if (from === origin) return true;
  return URL.canParse(from) && new URL(from).host === request.headers.get("host");
}
