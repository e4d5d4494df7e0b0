/**
 * What posthog-js sends to `/s/` → rows: `[{event: "$snapshot", properties: {$snapshot_data: […], $session_id, …}}]`.
 * Large parts of rrweb's events come gzipped as text (`cv: "2024-10"`); here they become JSON again, so that any player
 * can show them. Runs in the database's thread: a page's first snapshot is megabytes of JSON.
 */
import { randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import type { TelemetryLimits } from "../../limits.ts";
import type { StoredSnapshot } from "../../store/write-batch.ts";
import { cutQueries, pathOf } from "../clean-text.ts";
import { trustedTime } from "../clock-skew.ts";
import { idSchema, textOrNull } from "./parse-capture.ts";

const gzipLevel = 3;
/** Events with which the SDK describes its own settings. */
const ownTags = new Set(["$posthog_config", "$session_options", "$remote_config_received"]);

const rrwebSchema = z.looseObject({
  type: z.int().min(0).max(100),
  timestamp: z.number(),
  data: z.unknown().optional(),
  cv: z.string().optional(),
});

const snapshotSchema = z.looseObject({
  event: z.literal("$snapshot"),
  uuid: z.string().max(100).optional(),
  properties: z.looseObject({
    distinct_id: idSchema,
    $session_id: z.string().regex(/^[\w-]{1,100}$/),
    $window_id: z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .optional(),
    $snapshot_data: z.union([z.array(rrwebSchema).max(50_000), rrwebSchema.transform((event) => [event])]),
  }),
});

const bodySchema = z.union([
  z.array(z.unknown()),
  z.looseObject({ batch: z.array(z.unknown()) }).transform(({ batch }) => batch),
  z.looseObject({ event: z.string() }).transform((event) => [event]),
]);

type RrwebEvent = z.infer<typeof rrwebSchema>;

/** Never throws for what was sent. @param body inflated JSON */
export function parseSnapshots(
  body: Uint8Array,
  now: number,
  limits: TelemetryLimits,
): { rows: StoredSnapshot[] } | { refused: string } {
  try {
    const list = bodySchema.parse(JSON.parse(new TextDecoder().decode(body)));
    if (list.length > limits.eventsPerRequest) return { refused: `${list.length} events were sent.` };
    const budget = { bytes: limits.snapshotInflatedBytes };
    return { rows: list.map((item) => toRow(snapshotSchema.parse(item), now, budget)) };
  } catch (error) {
    if (error instanceof z.ZodError) {
      const issue = error.issues[0];
      return { refused: `${issue?.path.join(".") || "The body"}: ${issue?.message ?? "is not valid"}.` };
    }
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

function toRow(
  snapshot: z.infer<typeof snapshotSchema>,
  now: number,
  budget: { bytes: number },
): StoredSnapshot {
  const { properties } = snapshot;
  const events = properties.$snapshot_data
    .filter((event) => !isOwnSetting(event))
    .map((event) => cleanEvent(inflateEvent(event, budget)));
  const times = events.map((event) => trustedTime(event.timestamp, now));
  const href = events.find((event) => event.type === 4)?.data;
  return {
    uuid: snapshot.uuid && /^[\w-]{8,100}$/.test(snapshot.uuid) ? snapshot.uuid : randomUUID(),
    at: now,
    sessionId: properties.$session_id,
    windowId: properties.$window_id ?? "",
    distinctId: properties.distinct_id,
    path:
      pathOf(hrefOf(href)) ??
      pathOf(properties["$pathname"]) ??
      pathOf(textOrNull(properties["$current_url"])),
    startedAt: Math.min(now, ...times.slice(0, 1)),
    endedAt: Math.max(...(times.length > 0 ? times.slice(-1) : [now])),
    events: gzipSync(JSON.stringify(events), { level: gzipLevel }),
  };
}

function isOwnSetting(event: RrwebEvent): boolean {
  const data = event.data;
  return event.type === 5 && isObject(data) && typeof data["tag"] === "string" && ownTags.has(data["tag"]);
}

/** Full snapshots and large mutations are text that holds gzip, a byte in each character. */
function inflateEvent(event: RrwebEvent, budget: { bytes: number }): RrwebEvent {
  if (event.cv !== "2024-10") return event;
  const { cv: _, ...plain } = event;
  if (typeof event.data === "string") return { ...plain, data: inflateText(event.data, budget) };
  if (!isObject(event.data)) return plain;
  const data = Object.fromEntries(
    Object.entries(event.data).map(([name, value]) => [
      name,
      typeof value === "string" && value.startsWith("\u001f\u008b") ? inflateText(value, budget) : value,
    ]),
  );
  return { ...plain, data };
}

function inflateText(text: string, budget: { bytes: number }): unknown {
  const json = gunzipSync(Buffer.from(text, "latin1"), { maxOutputLength: Math.max(budget.bytes, 1) });
  budget.bytes -= json.byteLength;
  return JSON.parse(json.toString());
}

/** The address in rrweb's "Meta" event has the page's query. */
function cleanEvent(event: RrwebEvent): RrwebEvent {
  if (event.type !== 4 || !isObject(event.data)) return event;
  const href = hrefOf(event.data);
  return { ...event, data: { ...event.data, ...(href && { href: cutQueries(href) }) } };
}

function hrefOf(data: unknown): string | null {
  return isObject(data) && typeof data["href"] === "string" ? data["href"] : null;
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
