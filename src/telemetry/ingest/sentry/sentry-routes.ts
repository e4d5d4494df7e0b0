/** `POST /errors/envelope`: the tunnel of Sentry's SDK. Needs no consent, so nothing in it may identify anyone. */
import { Hono } from "hono";
import { sizeOfAll } from "../../contract/budgets.ts";
import type { TelemetryLimits } from "../../contract/limits.ts";
import type { TelemetryStore } from "../../thread/telemetry-store.ts";
import { type Intake, requireKept } from "../intake.ts";
import { readBody } from "../read-json.ts";
import { Refusal } from "../../contract/refusal.ts";
import { createTurns } from "../../parse/take-turns.ts";
import { browserFamily } from "../user-agent.ts";
import type { OutboxRow } from "../../contract/types.ts";
import { type EnvelopeItem, parseEnvelope } from "../../parse/parse-envelope.ts";
import {
  forwardableEvent,
  type ParsedEvent,
  parseSentryEvent,
  type ReportContext,
} from "../../parse/parse-event.ts";

export interface SentryRouteOptions {
  store: TelemetryStore;
  intake: Intake;
  limits: TelemetryLimits;
  clock: () => number;
  /** Whether a Sentry project gets a copy. */
  isForwarded: boolean;
}

const ENDPOINT = "/errors/envelope";

export function sentryRoutes(options: SentryRouteOptions): Hono {
  const { intake, limits } = options;
  const app = new Hono();

  app.on("POST", [ENDPOINT, `${ENDPOINT}/`], async (context) => {
    try {
      await intake.admit(context);
      intake.requireRoom(context, "errors");
      const browser = browserFamily(context.req.header("user-agent"));
      const { errors, others } = await readBody(context, { intake, limits }, (bytes) => {
        const items = parseEnvelope(intake.clean(context, new TextDecoder().decode(bytes)), budgetOf(limits));
        return readItems(items, { platform: "browser", browser }, options);
      });
      intake.countEvents(context, Math.max(errors.length, 1));
      intake.requireRoom(context, "errors");
      intake.countKept(context, "errors", sizeOfAll(errors.map(({ report }) => report)));
      await keep(errors, others, options);
      const id = errors[0]?.report.eventId;
      return context.json(id ? { id } : {});
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      intake.refuse(ENDPOINT, error.reason);
      if (error.retryAfter !== null) context.header("Retry-After", String(error.retryAfter));
      return context.json({ detail: error.message, causes: [] }, error.status);
    }
  });
  return app;
}

const budgetOf = ({ jsonDepth, jsonTokens }: TelemetryLimits) => ({ depth: jsonDepth, tokens: jsonTokens });

interface EnvelopeContent {
  errors: ParsedEvent[];
  /** Types of items that are answered and counted, but not stored: sessions, transactions, the SDK's own reports. */
  others: string[];
}

/** @throws Refusal */
async function readItems(
  items: EnvelopeItem[],
  source: ErrorSource,
  { limits, clock }: SentryRouteOptions,
): Promise<EnvelopeContent> {
  const events = items.filter((item) => item.type === "event");
  if (events.length > limits.errorsPerEnvelope)
    throw new Refusal("too many events", `The envelope has more than ${limits.errorsPerEnvelope} errors.`);
  const turns = createTurns();
  const errors: ParsedEvent[] = [];
  for (const { payload } of events) {
    errors.push(parseSentryEvent(payload, { now: clock(), ...source, limits }));
    await turns.after(ERROR_UNITS);
  }
  return { errors, others: items.filter((item) => item.type !== "event").map(({ type }) => type) };
}

/** The cost of an error with all its frames, in units of a turn. */
const ERROR_UNITS = 100_000;

/** @throws Refusal when the database has not stored them */
async function keep(
  errors: readonly ParsedEvent[],
  others: readonly string[],
  { store, intake, isForwarded }: SentryRouteOptions,
): Promise<void> {
  if (errors.length > 0)
    requireKept(
      await store.write({
        reports: errors.map(({ report }) => report),
        ...(isForwarded && { outbox: errors.map(errorCopy) }),
      }),
    );
  intake.accept(ENDPOINT, errors.length);
  for (const type of others) intake.accept(notKept(type), 1);
}

/** Accepts an envelope of the server's own errors. An error in it is a bug, not a sender's mistake. */
export async function takeServerEnvelope(envelope: string, options: SentryRouteOptions): Promise<void> {
  const items = parseEnvelope(envelope, budgetOf(options.limits));
  const { errors, others } = await readItems(items, { platform: "server", browser: null }, options);
  await keep(errors, others, options);
}

type ErrorSource = Pick<ReportContext, "platform" | "browser">;

const KNOWN_TYPES = ["session", "client_report", "transaction", "attachment"];

/** Types other than those of the SDKs share one counter, because a sender could make up any number of them. */
function notKept(type: string): string {
  return `${ENDPOINT} (${KNOWN_TYPES.includes(type) ? type : "other"}, not kept)`;
}

function errorCopy(parsed: ParsedEvent): OutboxRow {
  const body = Buffer.from(JSON.stringify(forwardableEvent(parsed)));
  return { service: "sentry", kind: "error", at: parsed.report.at, distinctId: null, body };
}
