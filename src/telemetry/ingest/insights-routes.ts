/** `POST /insights/1/events`: Algolia's Insights protocol, with its limits and its errors. */
import { createHash } from "node:crypto";
import { Hono } from "hono";
import * as z from "zod";
import { sizeOfAll } from "../contract/budgets.ts";
import type { TelemetryConfig } from "../contract/config.ts";
import type { TelemetryLimits } from "../contract/limits.ts";
import type { TelemetryStore } from "../thread/telemetry-store.ts";
import type { EventRow } from "../contract/types.ts";
import { trustedTime } from "../parse/clock-skew.ts";
import { type Intake, requireKept } from "./intake.ts";
import { readJson } from "./read-json.ts";
import { Refusal } from "../contract/refusal.ts";
import { createTurns } from "../parse/take-turns.ts";

/** Algolia's own limits. */
const MAX_EVENTS = 1000;
const MAX_OBJECTS = 20;
const MAX_FILTERS = 10;

const token = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().regex(/^[\w=/+-]{1,129}$/, "must be 1 to 129 letters, digits, -, _, =, / or +"));

/** Counted before the entries are examined. */
const list = <Entry extends z.ZodType>(entry: Entry, most: number) =>
  z.array(z.unknown()).min(1).max(most).pipe(z.array(entry));

const eventSchema = z
  .object({
    eventType: z.enum(["click", "conversion", "view"]),
    eventName: z
      .string()
      .min(1)
      .max(64)
      .regex(/^[\x20-\x7e]+$/, "must be printable ASCII"),
    index: z.string().min(1).max(200),
    userToken: token,
    objectIDs: list(z.string().min(1).max(512), MAX_OBJECTS).optional(),
    filters: list(z.string().min(1).max(500), MAX_FILTERS).optional(),
    positions: list(z.int().min(1), MAX_OBJECTS).optional(),
    queryID: z
      .string()
      .regex(/^[0-9a-f]{32}$/, "must be 32 hexadecimal digits")
      .optional(),
    timestamp: z.number().optional(),
  })
  .refine((event) => (event.objectIDs === undefined) !== (event.filters === undefined), {
    error: "must have either objectIDs or filters",
  })
  .refine((event) => event.positions === undefined || event.positions.length === event.objectIDs?.length, {
    path: ["positions"],
    error: "must have as many entries as objectIDs",
  })
  .refine((event) => event.eventType !== "click" || !event.queryID || event.positions !== undefined, {
    path: ["positions"],
    error: "is required for a click after a search",
  });

const bodySchema = z.object({ events: z.array(z.unknown()).min(1).max(MAX_EVENTS) });

export interface InsightsRouteOptions {
  config: TelemetryConfig;
  store: TelemetryStore;
  intake: Intake;
  limits: TelemetryLimits;
  clock: () => number;
}

const ENDPOINT = "/insights/1/events";

export function insightsRoutes({ config, store, intake, limits, clock }: InsightsRouteOptions): Hono {
  const app = new Hono();
  app.post(ENDPOINT, async (context) => {
    try {
      await intake.admit(context);
      if (!config.analytics) throw new Refusal("switched off", "This site does not store click events.");
      intake.requireRoom(context, "events");
      const rows = await readJson(context, { intake, limits }, (json) => parseInsights(json, clock()));
      intake.countEvents(context, rows.length);
      intake.requireRoom(context, "events");
      intake.countKept(context, "events", sizeOfAll(rows));
      requireKept(await store.write({ events: rows }));
      intake.accept(ENDPOINT, rows.length);
      return context.json({ status: 200, message: "OK" });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      intake.refuse(ENDPOINT, error.reason);
      if (error.retryAfter !== null) context.header("Retry-After", String(error.retryAfter));
      return context.json({ status: error.status, message: error.message }, error.status);
    }
  });
  app.all("/insights/*", (context) => context.json({ status: 404, message: "Not found" }, 404));
  return app;
}

/** @throws Refusal that names the event and the field. */
async function parseInsights(json: unknown, now: number): Promise<EventRow[]> {
  const body = bodySchema.safeParse(json);
  if (!body.success) throw new Refusal("not valid", `events must be a list of 1 to ${MAX_EVENTS} events.`);
  const turns = createTurns();
  const rows: EventRow[] = [];
  for (const [position, item] of body.data.events.entries()) {
    const row = toEventRow(item, position, now);
    rows.push(row);
    await turns.after(EVENT_UNITS + row.properties.length);
  }
  return rows;
}

/** The cost of even the smallest event, in units of a turn. */
const EVENT_UNITS = 1000;

function toEventRow(item: unknown, position: number, now: number): EventRow {
  const parsed = eventSchema.safeParse(item);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Refusal(
      "not valid",
      `events[${position}].${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}`,
    );
  }
  const { eventType, eventName, index, userToken, objectIDs, filters, positions, queryID } = parsed.data;
  const at = trustedTime(parsed.data.timestamp, now);
  const kept = { eventType, index, objectIDs, filters, positions, queryID };
  return {
    // The protocol has no ids, so the id is derived from the event: sent again, it is the same.
    uuid: createHash("sha256")
      .update(JSON.stringify([eventName, userToken, at, kept]))
      .digest("hex")
      .slice(0, 32),
    at,
    name: eventName,
    source: "insights",
    distinctId: userToken,
    sessionId: null,
    windowId: null,
    path: null,
    properties: JSON.stringify(kept),
  };
}
