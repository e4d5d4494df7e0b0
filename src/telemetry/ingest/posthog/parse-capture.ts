/**
 * What posthog-js sends to `/e/`, `/i/v0/e/` and `/batch/` → rows. Taken are `{api_key, batch: […]}`, `{event, …}` and
 * `[…]`; as JSON, gzip without a header, or `data=<base64>` in a form.
 */
import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { TelemetryLimits } from "../../limits.ts";
import type { EventRow } from "../../types.ts";
import { pathOf } from "../clean-text.ts";
import { trustedTime } from "../clock-skew.ts";
import { inflateIfGzip, isGzip } from "../read-body.ts";
import { Refusal } from "../refusal.ts";
import { cleanProperties } from "./clean-properties.ts";

export const idSchema = z.union([z.string(), z.number().transform(String)]).pipe(
  z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\s"'<>\\@]+$/u, "has a character that no SDK's identifier has"),
);

/** What every reader who refused has in common: PostHog's cookieless mode, which this site does not use. */
const cookieless = "$posthog_cookieless";

const eventSchema = z.looseObject({
  event: z.string().min(1).max(200),
  uuid: z.string().max(100).optional(),
  distinct_id: z.unknown().optional(),
  timestamp: z.unknown().optional(),
  /** Milliseconds since the event, where the SDK has no clock to trust. */
  offset: z.unknown().optional(),
  properties: z.looseObject({}).optional(),
});

const bodySchema = z.union([
  z.array(z.unknown()),
  z.looseObject({ batch: z.array(z.unknown()) }).transform(({ batch }) => batch),
  z.looseObject({ event: z.string() }).transform((event) => [event]),
]);

/** Undoes base64 in a form and gzip. @throws Refusal */
export async function readCaptureText(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  limit: number,
): Promise<string> {
  const decoder = new TextDecoder();
  // The content type is not to be trusted: some send JSON as a form, some a form as text.
  const isForm =
    startsWith(bytes, "data=") ||
    (contentType.startsWith("application/x-www-form-urlencoded") && !isGzip(bytes) && !startsLikeJson(bytes));
  if (!isForm) return decoder.decode(await inflateIfGzip(bytes, limit));
  const data = new URLSearchParams(decoder.decode(bytes)).get("data");
  if (data === null) throw new Refusal("not readable", "The form has no field data.");
  // A + that was not escaped has become a space.
  const decoded = new Uint8Array(Buffer.from(data.replaceAll(" ", "+"), "base64"));
  return decoder.decode(await inflateIfGzip(decoded, limit));
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return (
    Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, text.length)).toString() === text
  );
}

function startsLikeJson(bytes: Uint8Array): boolean {
  return /^\s*[{[]/.test(Buffer.from(bytes.subarray(0, 20)).toString("latin1"));
}

export interface ParsedCapture {
  rows: EventRow[];
  /** Events of readers who did not agree; not kept. */
  withoutConsent: number;
}

/** @throws Refusal for a body that is none of the three shapes, or has an event that is none. */
export function parseCapture(json: unknown, now: number, limits: TelemetryLimits): ParsedCapture {
  const body = bodySchema.safeParse(json);
  if (!body.success)
    throw new Refusal("not valid", "The body is neither an event, nor a list of events, nor {batch: […]}.");
  if (body.data.length > limits.eventsPerRequest)
    throw new Refusal(
      "too many events",
      `${body.data.length} events were sent; at most ${limits.eventsPerRequest} are taken.`,
    );
  const parsed: ParsedCapture = { rows: [], withoutConsent: 0 };
  for (const [position, item] of body.data.entries()) {
    const row = toEventRow(item, position, now, limits);
    if (row) parsed.rows.push(row);
    else parsed.withoutConsent += 1;
  }
  return parsed;
}

function toEventRow(item: unknown, position: number, now: number, limits: TelemetryLimits): EventRow | null {
  const event = eventSchema.safeParse(item);
  if (!event.success) throw invalid(position, event.error);
  const { data } = event;
  const sent = data.properties ?? {};
  const id = idSchema.safeParse(data.distinct_id ?? sent["distinct_id"]);
  if (!id.success) throw invalid(position, id.error, "distinct_id");
  if (id.data === cookieless) return null;
  if (data.event === "$snapshot")
    throw new Refusal("not valid", `Event ${position} is a part of a recording: send it to /ingest/s/.`);
  const properties = JSON.stringify(cleanProperties(sent, limits));
  if (Buffer.byteLength(properties) > limits.propertyBytes)
    throw new Refusal(
      "too large",
      `The properties of event ${position} are larger than ${limits.propertyBytes} bytes.`,
    );
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
