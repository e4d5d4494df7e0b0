import type { Context } from "hono";
import type { TelemetryLimits } from "../limits.ts";
import { browserFamily } from "./user-agent.ts";
import { removeSender, type Sender } from "./clean-text.ts";
import { createRateLimit } from "./rate-limit.ts";
import { Refusal, type RefusalReason } from "./refusal.ts";
import { senderOf, type SenderKeys } from "./sender.ts";

export interface Intake {
  /** Checks origin and rate. @throws Refusal */
  admit: (context: Context) => void;
  /** Counts events of an admitted request. @throws Refusal when an address or all of them send too many. */
  countEvents: (context: Context, count: number) => void;
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
}

/** What every endpoint does before it reads a body, and the counters that the console shows. */
export function createIntake({ origin, limits, clock, keys }: IntakeOptions): Intake {
  const accepted: { [endpoint: string]: number } = {};
  const refused = new Map<string, Refused>();
  const keyOf = keys.ofAddress;
  const requests = createRateLimit({ perMinute: limits.requestsPerAddress, clock });
  const events = createRateLimit({ perMinute: limits.eventsPerAddress, clock });
  const allEvents = createRateLimit({ perMinute: limits.eventsPerMinute, clock });

  const tooMany = () => new Refusal("too many requests", "Too many at the moment. Try again in a minute.");
  return {
    admit(context) {
      if (!isSameOrigin(context.req.raw, origin))
        throw new Refusal("foreign origin", "Only this site's own pages may send here.");
      if (!requests.take(keyOf(context), 1)) throw tooMany();
    },
    countEvents(context, count) {
      if (!events.take(keyOf(context), count) || !allEvents.take("", count)) throw tooMany();
    },
    clean(context, text) {
      const sender: Sender = senderOf(context);
      return removeSender(text, sender, browserFamily(sender.userAgent));
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
