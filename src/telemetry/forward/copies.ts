/** Copies for the services. They are made from stored rows, so that only accepted data is forwarded. */
import { gunzipSync } from "node:zlib";
import type { ForwardConfig } from "../contract/config.ts";
import type { ToOutbox } from "../store/write-batch.ts";
import type { EventRow, OutboxRow, StoredSnapshot } from "../contract/types.ts";

export function copiesFor({ posthog, algolia }: ForwardConfig): ToOutbox {
  return {
    event: (row) => {
      if (row.source === "insights") return algolia ? clickCopy(row) : null;
      return posthog ? eventCopy(row) : null;
    },
    ...(posthog && { snapshot: snapshotCopy }),
  };
}

function copyOf(
  service: OutboxRow["service"],
  kind: OutboxRow["kind"],
  row: EventRow | StoredSnapshot,
  body: Uint8Array,
): OutboxRow {
  return { service, kind, at: row.at, distinctId: row.distinctId, body };
}

const bytesOf = (body: unknown) => Buffer.from(JSON.stringify(body));

function eventCopy(row: EventRow): OutboxRow {
  return copyOf(
    "posthog",
    "event",
    row,
    bytesOf({
      uuid: row.uuid,
      event: row.name,
      distinct_id: row.distinctId,
      timestamp: new Date(row.at).toISOString(),
      properties: {
        // Properties are stored as the JSON of an object.
        ...(JSON.parse(row.properties) as object),
        distinct_id: row.distinctId,
        ...sessionProperties(row),
      },
    }),
  );
}

/** The events are inserted as JSON text without parsing them again: they may be megabytes. */
function snapshotCopy(row: StoredSnapshot): OutboxRow {
  const properties = JSON.stringify({
    distinct_id: row.distinctId,
    ...sessionProperties(row),
    $snapshot_source: "web",
    $snapshot_bytes: row.events.byteLength,
    $lib: "web",
  });
  const events = gunzipSync(row.events).toString();
  const rest = JSON.stringify({
    uuid: row.uuid,
    event: "$snapshot",
    timestamp: new Date(row.at).toISOString(),
  });
  const body = `${rest.slice(0, -1)},"properties":${properties.slice(0, -1)},"$snapshot_data":${events}}}`;
  return copyOf("posthog", "snapshot", row, Buffer.from(body));
}

/** Keeps PostHog from deriving a location from this server's address. */
function sessionProperties(row: EventRow | StoredSnapshot) {
  return {
    ...(row.sessionId && { $session_id: row.sessionId }),
    ...(row.windowId && { $window_id: row.windowId }),
    $ip: null,
    $geoip_disable: true,
    $process_person_profile: false,
  };
}

function clickCopy(row: EventRow): OutboxRow {
  const properties = JSON.parse(row.properties) as object;
  return copyOf(
    "algolia",
    "click",
    row,
    bytesOf({
      eventName: row.name,
      userToken: row.distinctId,
      timestamp: row.at,
      ...properties,
    }),
  );
}
