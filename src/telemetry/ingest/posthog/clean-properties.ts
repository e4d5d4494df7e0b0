import type { TelemetryLimits } from "../../limits.ts";
import { cutQueries, hostOf } from "../clean-text.ts";

/**
 * Not kept: the address and the place derived from it, the full user agent, identifiers that outlive the reader's own
 * (`$device_id`), person properties, what the SDK says about itself, and what has a column of its own.
 */
const dropped =
  /^(?:\$ip|\$geoip_.*|\$raw_user_agent|\$user_agent|\$device_id|\$user_id|\$anon_distinct_id|\$set|\$set_once|\$unset|\$timezone.*|\$sdk_.*|\$debug_.*|\$lib_.*|\$config_defaults|\$snapshot_.*|\$initialization_time|\$configured_session_timeout_ms|\$recording_status|\$session_recording_.*|\$.*_enabled_server_side|\$.*_disabled_server_side|\$session_entry_(?:referrer|url|utm_.*|.*clid)|\$time|\$insert_id|token|distinct_id|\$session_id|\$window_id)$/;
const referrer = /^\$(?:initial_)?referrer$/;
/** Words that a reader typed into the search box: the one query that is kept. */
const searchQuery = /^(?:query|search_query|\$survey_response.*)$/;
const maxDepth = 6;
const maxKeys = 200;
const maxItems = 100;

/** Makes a new object of what may be kept; never throws, whatever was sent. */
export function cleanProperties(
  properties: { [name: string]: unknown },
  limits: TelemetryLimits,
): { [name: string]: unknown } {
  const cleaned: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(properties).slice(0, maxKeys)) {
    if (dropped.test(name) || name === "__proto__" || name.length > 200) continue;
    cleaned[name] = cleanNamed(name, value, limits);
  }
  return cleaned;
}

function cleanNamed(name: string, value: unknown, limits: TelemetryLimits): unknown {
  if (typeof value === "string" && referrer.test(name)) return hostOf(value) ?? "$direct";
  if (typeof value === "string" && searchQuery.test(name)) return value.slice(0, limits.textLength);
  return cleanValue(value, limits, 0);
}

function cleanValue(value: unknown, limits: TelemetryLimits, depth: number): unknown {
  if (typeof value === "string") return cutQueries(value.slice(0, limits.textLength));
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return null;
  if (Array.isArray(value))
    return value.slice(0, maxItems).map((item) => cleanValue(item, limits, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxKeys)
      .filter(([name]) => name !== "__proto__" && !dropped.test(name))
      .map(([name, item]) => [name, cleanValue(item, limits, depth + 1)]),
  );
}
