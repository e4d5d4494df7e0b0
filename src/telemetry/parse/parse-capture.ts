/**
 * Bodies of posthog-js for `/e/`, `/i/v0/e/` and `/batch/` → rows. Accepted are `{api_key, batch: […]}`, `{event, …}` and
 * `[…]`; as JSON, gzip without a header, or `data=<base64>` in a form.
 */
import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { TelemetryLimits } from "../contract/limits.ts";
import type { EventRow } from "../contract/types.ts";
import { pathOf } from "./clean-text.ts";
import { trustedTime } from "./clock-skew.ts";
import { Refusal } from "../contract/refusal.ts";
import { createTurns } from "./take-turns.ts";
import { cleanProperties, tooManyProperties } from "./clean-properties.ts";

export const idSchema = z.union([z.string(), z.number().transform(String)]).pipe(
  z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\s"'<>\\@]+$/u, "has a character that SDK identifiers never contain"),
);

/** The shared identifier of readers who refused, in PostHog's cookieless mode. This site does not use that mode. */
const COOKIELESS = "$posthog_cookieless";

const record = z.custom<{ [name: string]: unknown }>(isRecord, "must be an object");

const eventSchema = z.object({
  event: z.string().min(1).max(200),
  uuid: z.string().max(100).optional(),
  distinct_id: z.unknown().optional(),
  timestamp: z.unknown().optional(),
  /** Milliseconds since the event, if the SDK has no clock to trust. */
  offset: z.unknown().optional(),
  properties: record.optional(),
});

export function isRecord(value: unknown): value is { [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The events of the three shapes; null for anything else. */
export function eventsOf(json: unknown): unknown[] | null {
  if (Array.isArray(json)) return json;
  if (!isRecord(json)) return null;
  if (Array.isArray(json["batch"])) return json["batch"];
  return typeof json["event"] === "string" ? [json] : null;
}

export interface ParsedCapture {
  rows: EventRow[];
  /** Events of readers who did not agree; not stored. */
  withoutConsent: number;
}

/** @throws Refusal for a body that has none of the three shapes, or contains anything but events. */
export async function parseCapture(
  json: unknown,
  now: number,
  limits: TelemetryLimits,
): Promise<ParsedCapture> {
  const events = eventsOf(json);
  if (events === null)
    throw new Refusal("not valid", "The body is neither an event, nor a list of events, nor {batch: […]}.");
  if (events.length > limits.eventsPerRequest)
    throw new Refusal(
      "too many events",
      `${events.length} events were sent; at most ${limits.eventsPerRequest} are accepted.`,
    );
  const parsed: ParsedCapture = { rows: [], withoutConsent: 0 };
  const turns = createTurns();
  for (const [position, item] of events.entries()) {
    const row = toEventRow(item, position, now, limits);
    if (row) parsed.rows.push(row);
    else parsed.withoutConsent += 1;
    await turns.after(EVENT_UNITS + (row?.properties.length ?? 0));
  }
  return parsed;
}

/** The cost of even the smallest event, in units of a turn. */
const EVENT_UNITS = 500;

function toEventRow(item: unknown, position: number, now: number, limits: TelemetryLimits): EventRow | null {
  const event = eventSchema.safeParse(item);
  if (!event.success) throw invalid(position, event.error);
  const { data } = event;
  const sent = data.properties ?? {};
  const id = idSchema.safeParse(data.distinct_id ?? sent["distinct_id"]);
  if (!id.success) throw invalid(position, id.error, "distinct_id");
  if (id.data === COOKIELESS) return null;
  if (data.event === "$snapshot")
    throw new Refusal("not valid", `Event ${position} is part of a recording: send it to /ingest/s/.`);
  const properties = JSON.stringify(cleanProperties(sent, limits));
  if (Buffer.byteLength(properties) > limits.propertyBytes) throw tooManyProperties(limits);
  const elapsed = typeof data.offset === "number" ? now - data.offset : undefined;
  return {
    uuid: data.uuid && /^[\w-]{8,100}$/.test(data.uuid) ? data.uuid : randomUUID(),
    at: trustedTime(data.timestamp ?? elapsed, now),
    name: data.event,
    source: "posthog",
    distinctId: id.data,
    sessionId: textOrNull(sent["$session_id"]),
    windowId: textOrNull(sent["$window_id"]),
    path: pathOf(sent["$pathname"]) ?? pathOf(sent["$current_url"]),
    properties,
  };
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= 200 ? value : null;
}

function invalid(position: number, error: z.ZodError, name?: string): Refusal {
  const issue = error.issues[0];
  const place = name ?? issue?.path.join(".");
  return new Refusal(
    "not valid",
    `Event ${position}: ${place || "it"}: ${issue?.message ?? "is not valid"}.`,
  );
}
