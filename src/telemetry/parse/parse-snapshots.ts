/**
 * Bodies of posthog-js for `/s/` → rows: `[{event: "$snapshot", properties: {$snapshot_data: […], $session_id, …}}]`. Large
 * parts of rrweb's events arrive gzipped as text (`cv: "2024-10"`); here they become JSON again, so that any player can show
 * them. Runs in the database's thread, in pieces: a page's first snapshot is megabytes of JSON.
 */
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import * as z from "zod";
import type { TelemetryLimits } from "../contract/limits.ts";
import type { StoredSnapshot } from "../contract/types.ts";
import { checkJson, type JsonBudget } from "./check-json.ts";
import { cutQueries, pathOf } from "./clean-text.ts";
import { trustedTime } from "./clock-skew.ts";
import { Refusal, type RefusalReason } from "../contract/refusal.ts";
import { createTurns, type Turns } from "./take-turns.ts";
import { eventsOf, idSchema, isRecord, textOrNull } from "./parse-capture.ts";

const inflate = promisify(gunzip);
const deflate = promisify(gzip);

const GZIP_LEVEL = 3;
const MAX_EVENTS = 50_000;
/** The cost of a compressed part in addition to its values, in tokens: each part is inflated separately. */
const PART_TOKENS = 100;
/** The cost of even the smallest rrweb event, in units of a turn. */
const EVENT_UNITS = 300;
/** Events with which the SDK describes its own settings. */
const OWN_TAGS = new Set(["$posthog_config", "$session_options", "$remote_config_received"]);

const rrwebSchema = z.looseObject({
  type: z.int().min(0).max(100),
  timestamp: z.number(),
  data: z.unknown().optional(),
  cv: z.string().optional(),
});

const snapshotSchema = z.object({
  event: z.literal("$snapshot"),
  uuid: z.string().max(100).optional(),
  properties: z.object({
    distinct_id: idSchema,
    $session_id: z.string().regex(/^[\w-]{1,100}$/),
    $window_id: z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .optional(),
    $pathname: z.unknown().optional(),
    $current_url: z.unknown().optional(),
    $snapshot_data: z.union([
      z.array(z.unknown()).max(MAX_EVENTS),
      z.custom<object>(isRecord).transform((event): unknown[] => [event]),
    ]),
  }),
});

type RrwebEvent = z.infer<typeof rrwebSchema>;

/** The remaining budget of one request. */
interface Budget extends JsonBudget {
  bytes: number;
  turns: Turns;
}

export type ParsedSnapshots = { rows: StoredSnapshot[] } | { refused: string; reason: RefusalReason };

/** Never rejects because of the body. @param body inflated JSON */
export async function parseSnapshots(
  body: Uint8Array,
  now: number,
  limits: TelemetryLimits,
): Promise<ParsedSnapshots> {
  const budget: Budget = {
    depth: limits.snapshotDepth,
    tokens: limits.snapshotTokens,
    bytes: limits.snapshotInflatedBytes - body.byteLength,
    turns: createTurns(),
  };
  try {
    const list = eventsOf(await parseWithin(body, budget));
    if (list === null) return { refused: "The body is not a list of events.", reason: "not valid" };
    if (list.length > limits.eventsPerRequest)
      return { refused: `${list.length} events were sent.`, reason: "too many events" };
    const rows: StoredSnapshot[] = [];
    for (const item of list) rows.push(await toRow(snapshotSchema.parse(item), now, budget));
    return { rows };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message, reason: error.reason };
    if (error instanceof z.ZodError) {
      const issue = error.issues[0];
      const refused = `${issue?.path.join(".") || "The body"}: ${issue?.message ?? "is not valid"}.`;
      return { refused, reason: "not valid" };
    }
    return { refused: error instanceof Error ? error.message : String(error), reason: "not readable" };
  }
}

/** @throws Refusal before JSON with too many values is parsed; SyntaxError for text that is not JSON */
async function parseWithin(json: Uint8Array, budget: Budget): Promise<unknown> {
  checkJson(json, budget);
  await budget.turns.after(json.byteLength);
  const value: unknown = JSON.parse(new TextDecoder().decode(json));
  await budget.turns.after(json.byteLength);
  return value;
}

async function toRow(
  snapshot: z.infer<typeof snapshotSchema>,
  now: number,
  budget: Budget,
): Promise<StoredSnapshot> {
  const { properties } = snapshot;
  const events: RrwebEvent[] = [];
  const texts: string[] = [];
  for (const sent of properties.$snapshot_data) {
    const event = rrwebSchema.parse(sent);
    if (isOwnSetting(event)) continue;
    const cleaned = cleanEvent(await inflateEvent(event, budget));
    const text = JSON.stringify(cleaned);
    events.push(cleaned);
    texts.push(text);
    await budget.turns.after(EVENT_UNITS + text.length);
  }
  const times = events.map((event) => trustedTime(event.timestamp, now));
  const href = events.find((event) => event.type === 4)?.data;
  return {
    uuid: snapshot.uuid && /^[\w-]{8,100}$/.test(snapshot.uuid) ? snapshot.uuid : randomUUID(),
    at: now,
    sessionId: properties.$session_id,
    windowId: properties.$window_id ?? "",
    distinctId: properties.distinct_id,
    path: pathOf(hrefOf(href)) ?? pathOf(properties.$pathname) ?? pathOf(textOrNull(properties.$current_url)),
    startedAt: Math.min(now, ...times.slice(0, 1)),
    endedAt: Math.max(...(times.length > 0 ? times.slice(-1) : [now])),
    events: await deflate(`[${texts.join(",")}]`, { level: GZIP_LEVEL }),
  };
}

function isOwnSetting(event: RrwebEvent): boolean {
  const data = event.data;
  return event.type === 5 && isRecord(data) && typeof data["tag"] === "string" && OWN_TAGS.has(data["tag"]);
}

/** Full snapshots and large mutations are gzip as text, one byte in each character. */
async function inflateEvent(event: RrwebEvent, budget: Budget): Promise<RrwebEvent> {
  if (event.cv !== "2024-10") return event;
  const { cv: _, ...plain } = event;
  if (typeof event.data === "string") return { ...plain, data: await inflateText(event.data, budget) };
  if (!isRecord(event.data)) return plain;
  const data: [name: string, value: unknown][] = [];
  for (const [name, value] of Object.entries(event.data)) {
    const isCompressed = typeof value === "string" && value.startsWith("\u001f\u008b");
    data.push([name, isCompressed ? await inflateText(value, budget) : value]);
  }
  return { ...plain, data: Object.fromEntries(data) };
}

/** @throws Refusal when the request has more compressed parts, bytes or values than it may */
async function inflateText(text: string, budget: Budget): Promise<unknown> {
  budget.tokens -= PART_TOKENS;
  if (budget.tokens < 0 || budget.bytes <= 0)
    throw new Refusal("too complex", "The recording has too many compressed parts: send fewer at once.");
  try {
    const json = await inflate(Buffer.from(text, "latin1"), { maxOutputLength: budget.bytes });
    budget.bytes -= json.byteLength;
    return await parseWithin(json, budget);
  } catch (error) {
    if (error instanceof RangeError)
      throw new Refusal("too large", "The recording is too large when inflated.");
    throw error;
  }
}

/** rrweb's "Meta" event contains the page's address with its query. */
function cleanEvent(event: RrwebEvent): RrwebEvent {
  if (event.type !== 4 || !isRecord(event.data)) return event;
  const href = hrefOf(event.data);
  return { ...event, data: { ...event.data, ...(href && { href: cutQueries(href) }) } };
}

function hrefOf(data: unknown): string | null {
  return isRecord(data) && typeof data["href"] === "string" ? data["href"] : null;
}
