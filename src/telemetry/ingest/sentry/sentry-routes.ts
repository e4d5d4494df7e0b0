/** `POST /errors/envelope`: the tunnel of Sentry's SDK. Needs no consent, so nothing in it may identify anybody. */
import { Hono } from "hono";
import type { TelemetryLimits } from "../../limits.ts";
import type { TelemetryStore } from "../../store/telemetry-store.ts";
import type { Intake } from "../intake.ts";
import { inflateIfGzip, readBytes } from "../read-body.ts";
import { Refusal } from "../refusal.ts";
import { senderOf } from "../sender.ts";
import { browserFamily } from "../user-agent.ts";
import type { OutboxRow } from "../../store/write-batch.ts";
import { type EnvelopeItem, parseEnvelope } from "./parse-envelope.ts";
import { forwardableEvent, type ParsedEvent, parseSentryEvent, type ReportContext } from "./parse-event.ts";

export interface SentryRouteOptions {
  store: TelemetryStore;
  intake: Intake;
  limits: TelemetryLimits;
  clock: () => number;
  /** Whether a Sentry project gets a copy. */
  isForwarded: boolean;
}

const endpoint = "/errors/envelope";

export function sentryRoutes(options: SentryRouteOptions): Hono {
  const { intake, limits } = options;
  const app = new Hono();

  app.on("POST", [endpoint, `${endpoint}/`], async (context) => {
    try {
      intake.admit(context);
      const bytes = await readBytes(context.req.raw, limits.bodyBytes);
      const text = new TextDecoder().decode(await inflateIfGzip(bytes, limits.inflatedBytes));
      const browser = browserFamily(senderOf(context).userAgent);
      const items = parseEnvelope(intake.clean(context, text));
      intake.countEvents(context, Math.max(items.filter((item) => item.type === "event").length, 1));
      const ids = keepItems(items, { platform: "browser", browser }, options);
      return context.json(ids[0] ? { id: ids[0] } : {});
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      intake.refuse(endpoint, error.reason);
      if (error.status === 429) context.header("Retry-After", "60");
      return context.json({ detail: error.message, causes: [] }, error.status);
    }
  });
  return app;
}

/** @returns the ids of the errors that were kept. @throws Refusal */
function keepItems(items: EnvelopeItem[], source: ErrorSource, options: SentryRouteOptions): string[] {
  const { store, intake, limits, clock, isForwarded } = options;
  const errors = items
    .filter((item) => item.type === "event")
    .map(({ payload }) => parseSentryEvent(payload, { now: clock(), ...source, limits }));
  if (errors.length > 0)
    store.write({
      reports: errors.map(({ report }) => report),
      ...(isForwarded && { outbox: errors.map(errorCopy) }),
    });
  intake.accept(endpoint, errors.length);
  // Sessions, transactions and the SDK's own reports are answered, counted and not kept.
  for (const { type } of items) if (type !== "event") intake.accept(notKept(type), 1);
  return errors.map(({ report }) => report.eventId);
}

/** An envelope of the server's own errors; what is wrong with it is a bug, not a sender's mistake. */
export function takeServerEnvelope(envelope: string, options: SentryRouteOptions): void {
  keepItems(parseEnvelope(envelope), { platform: "server", browser: null }, options);
}

type ErrorSource = Pick<ReportContext, "platform" | "browser">;

const knownTypes = ["session", "client_report", "transaction", "attachment"];

/** The types that SDKs send; any other word is one counter, or a sender could make endless ones. */
function notKept(type: string): string {
  return `${endpoint} (${knownTypes.includes(type) ? type : "other"}, not kept)`;
}

function errorCopy(parsed: ParsedEvent): OutboxRow {
  const body = Buffer.from(JSON.stringify(forwardableEvent(parsed)));
  return { service: "sentry", kind: "error", at: parsed.report.at, distinctId: null, body };
}
