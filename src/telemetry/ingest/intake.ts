import type { Context } from "hono";
import type { AddressOf } from "#platform/http/addresses/client-address.ts";
import { RETRY_SECONDS as TURN_RETRY_SECONDS } from "#platform/fair/limits.ts";
import { takeOfferedTurn } from "#platform/fair/offered-turns.ts";
import { createNetworkLimit } from "#platform/http/limits/network-limit.ts";
import { createRateLimit } from "#platform/http/limits/rate-limit.ts";
import { isSameOrigin } from "#platform/http/addresses/same-origin.ts";
import type { KeptKind } from "../contract/budgets.ts";
import type { TelemetryConfig } from "../contract/config.ts";
import type { TelemetryLimits } from "../contract/limits.ts";
import type { NotKept } from "../thread/tally.ts";
import { browserFamily } from "./user-agent.ts";
import { type BodyLane, createBodyLane } from "./body-lane.ts";
import { createDiskShare } from "./disk-share.ts";
import { removeSender } from "../parse/clean-text.ts";
import { Refusal, type RefusalReason, tooManyRequests } from "../contract/refusal.ts";

export interface Intake {
  /** Checks origin and rate, then waits for the sender's turn. @throws Refusal */
  admit: (context: Context) => Promise<void>;
  /** Counts events of an admitted request. @throws Refusal when one address or all together send too many. */
  countEvents: (context: Context, count: number) => void;
  /** Counts bytes of an admitted request, as they are parsed. @throws Refusal when an address sends too many. */
  countBytes: (context: Context, count: number) => void;
  /** @throws Refusal while the sender or all together have used up their share of this kind */
  requireRoom: (context: Context, kind: KeptKind) => void;
  /** Counts stored bytes of that kind. */
  countKept: (context: Context, kind: KeptKind, bytes: number) => void;
  /** Bodies are inflated and read in here. */
  lane: BodyLane;
  /** Bodies of recordings are handled in here, up to their commit. */
  recordingLane: BodyLane;
  /** Removes the sender's address and user agent from a body. */
  clean: (context: Context, text: string) => string;
  accept: (endpoint: string, count: number) => void;
  refuse: (endpoint: string, reason: RefusalReason, count?: number) => void;
  /** For a route's own limits; an address stays in memory and is never written. */
  addressOf: AddressOf;
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
  config: Pick<TelemetryConfig, "maxBytes" | "retentionDays">;
  limits: TelemetryLimits;
  clock: () => number;
  addressOf: AddressOf;
}

/** Everything that an endpoint does before it reads a body, and the counters that the console shows. */
export function createIntake(options: IntakeOptions): Intake {
  const { origin, config, limits, clock, addressOf } = options;
  const accepted: { [endpoint: string]: number } = {};
  const refused = new Map<string, Refused>();
  const limitOf = (perMinute: number) => createNetworkLimit({ perMinute, clock });
  const requests = limitOf(limits.requestsPerAddress);
  const events = limitOf(limits.eventsPerAddress);
  const bytes = limitOf(limits.bytesPerAddress);
  const allEvents = createRateLimit({ perMinute: limits.eventsPerMinute, clock });
  const share = createDiskShare({ config, limits, clock });

  /** @param seconds until the limit allows it; 0: now */
  const refuseAfter = (seconds: number) => {
    if (seconds > 0) throw tooManyRequests(seconds);
  };
  return {
    async admit(context) {
      requireSameOrigin(context.req.raw, origin);
      refuseAfter(requests.take(addressOf(context)));
      if (await takeOfferedTurn(context.req.raw)) throw tooManyRequests(TURN_RETRY_SECONDS);
    },
    countEvents: (context, count) =>
      refuseAfter(events.take(addressOf(context), count) || allEvents.take("", count)),
    countBytes: (context, count) => refuseAfter(bytes.take(addressOf(context), count)),
    requireRoom: (context, kind) => share.requireRoom(addressOf(context), kind),
    countKept: (context, kind, count) => share.spend(addressOf(context), kind, count),
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
    addressOf,
    health: () => ({ accepted: { ...accepted }, refused: [...refused.values()] }),
  };
}

/** @throws Refusal when another site's page sends the request */
function requireSameOrigin(request: Request, origin: string): void {
  if (!isSameOrigin(request, origin))
    throw new Refusal("foreign origin", "Only this site's own pages can send data here.");
}

/** Forms on other sites cannot send this type without a preflight request. @throws Refusal */
export function requireJson(request: Request): void {
  if (!/^application\/json(?:[;\s]|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new Refusal("not JSON", "The body must be application/json.");
}

/** Refuses when the database did not store the rows, so that the SDK sends them again. @throws Refusal */
export function requireKept<Success extends { isKept: true }>(
  outcome: Success | NotKept,
): asserts outcome is Success {
  if (outcome.isKept) return;
  // The reason names files of this machine, so only the log and the console show it.
  const [reason, cause]: [RefusalReason, string] = outcome.isDiskFull
    ? ["disk full", "The disk is full"]
    : ["not kept", "The database accepts no data at the moment"];
  throw new Refusal(
    reason,
    `${cause}: nothing was stored. Try again in ${RETRY_SECONDS} seconds.`,
    RETRY_SECONDS,
  );
}

/** Seconds after which a sender may try again when the database is busy or not open. */
const RETRY_SECONDS = 10;
