import type { TelemetryLimits } from "../contract/limits.ts";
import { cutQueries, hostOf } from "./clean-text.ts";
import { Refusal } from "../contract/refusal.ts";

/**
 * Not stored: the address and the place derived from it, the full user agent, identifiers that outlive the reader's own
 * (`$device_id`), person properties, the SDK's data about itself, and fields with their own columns.
 */
const DROPPED = new Set([
  "$ip",
  "$raw_user_agent",
  "$user_agent",
  "$device_id",
  "$user_id",
  "$anon_distinct_id",
  "$set",
  "$set_once",
  "$unset",
  "$config_defaults",
  "$initialization_time",
  "$configured_session_timeout_ms",
  "$recording_status",
  "$session_entry_referrer",
  "$session_entry_url",
  "$time",
  "$insert_id",
  "token",
  "distinct_id",
  "$session_id",
  "$window_id",
  // As a key it would change the prototype of the object.
  "__proto__",
]);
const DROPPED_STARTS = [
  "$geoip_",
  "$timezone",
  "$sdk_",
  "$debug_",
  "$lib_",
  "$snapshot_",
  "$session_recording_",
  "$session_entry_utm_",
];
const DROPPED_ENDS: readonly [start: string, end: string][] = [
  ["$", "_enabled_server_side"],
  ["$", "_disabled_server_side"],
  ["$session_entry_", "clid"],
];

function isDropped(name: string): boolean {
  if (DROPPED.has(name)) return true;
  if (!name.startsWith("$")) return false;
  return (
    DROPPED_STARTS.some((start) => name.startsWith(start)) ||
    DROPPED_ENDS.some(([start, end]) => name.startsWith(start) && name.endsWith(end))
  );
}

const REFERRERS = new Set(["$referrer", "$initial_referrer"]);
/** Words that a reader typed into the search box: the only query that is stored. */
const isSearchQuery = (name: string) =>
  name === "query" || name === "search_query" || name.startsWith("$survey_response");
const MAX_DEPTH = 6;
const MAX_KEYS = 200;
const MAX_ITEMS = 100;
const MAX_NAME_LENGTH = 200;

interface Cleaning {
  limits: TelemetryLimits;
  /** Characters that may still be stored; every value counts as one more. */
  left: number;
}

/** Makes a new object of the allowed properties. @throws Refusal as soon as it would exceed `propertyBytes` */
export function cleanProperties(
  properties: { [name: string]: unknown },
  limits: TelemetryLimits,
): { [name: string]: unknown } {
  const cleaning: Cleaning = { limits, left: limits.propertyBytes };
  const cleaned: { [name: string]: unknown } = {};
  for (const [name, value] of keptEntries(properties)) {
    if (name.length > MAX_NAME_LENGTH) continue;
    cleaned[name] = cleanNamed(name, value, cleaning);
  }
  return cleaned;
}

function keptEntries(object: object): [name: string, value: unknown][] {
  return Object.entries(object)
    .slice(0, MAX_KEYS)
    .filter(([name]) => !isDropped(name));
}

function cleanNamed(name: string, value: unknown, cleaning: Cleaning): unknown {
  count(name.length, cleaning);
  if (typeof value === "string" && REFERRERS.has(name)) return hostOf(value) ?? "$direct";
  if (typeof value === "string" && isSearchQuery(name)) return counted(cut(value, cleaning), cleaning);
  return cleanValue(value, cleaning, 0);
}

function cleanValue(value: unknown, cleaning: Cleaning, depth: number): unknown {
  if (typeof value === "string") return counted(cutQueries(cut(value, cleaning)), cleaning);
  count(1, cleaning);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value))
    return value.slice(0, MAX_ITEMS).map((item) => cleanValue(item, cleaning, depth + 1));
  return Object.fromEntries(
    keptEntries(value).map(([name, item]) => {
      count(name.length, cleaning);
      return [name, cleanValue(item, cleaning, depth + 1)];
    }),
  );
}

const cut = (text: string, { limits }: Cleaning) => text.slice(0, limits.textLength);

function counted(text: string, cleaning: Cleaning): string {
  count(text.length + 1, cleaning);
  return text;
}

function count(characters: number, cleaning: Cleaning): void {
  cleaning.left -= characters;
  if (cleaning.left < 0) throw tooManyProperties(cleaning.limits);
}

export function tooManyProperties(limits: TelemetryLimits): Refusal {
  return new Refusal("too large", `Its properties are larger than ${limits.propertyBytes} bytes.`);
}
