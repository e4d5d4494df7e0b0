/** The request that each service expects for a run of waiting rows. */
import type { ForwardConfig } from "../contract/config.ts";
import type { OutboxRow } from "../contract/types.ts";

export interface WaitingRow {
  id: number;
  kind: OutboxRow["kind"];
  body: Uint8Array;
}

export interface ServiceRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The headers declare the body as gzip. */
  isCompressed: boolean;
  /** How many of the rows, from the first, are in the request. */
  rows: number;
}

export interface Service {
  name: OutboxRow["service"];
  /** @param rows in order, at least one */
  request: (rows: readonly WaitingRow[], now: number) => ServiceRequest;
}

/** Per request to PostHog or Algolia. */
const EVENTS_PER_REQUEST = 100;

export function servicesOf({ posthog, sentry, algolia }: ForwardConfig): Service[] {
  return [
    ...(posthog ? [posthogService(posthog)] : []),
    ...(sentry ? [sentryService(sentry)] : []),
    ...(algolia ? [algoliaService(algolia)] : []),
  ];
}

/** The leading rows of one kind: each address accepts one kind, and the order stays. */
function leading(rows: readonly WaitingRow[], limit: number): readonly WaitingRow[] {
  const end = rows.findIndex((row) => row.kind !== rows[0]?.kind);
  return rows.slice(0, Math.min(end === -1 ? rows.length : end, limit));
}

const jsonOf = (row: WaitingRow): unknown => JSON.parse(Buffer.from(row.body).toString());

/** Events to `/batch/`, parts of recordings to `/s/`; PostHog knows each by its uuid and accepts it once. */
function posthogService({ host, key }: NonNullable<ForwardConfig["posthog"]>): Service {
  const base = host.endsWith("/") ? host.slice(0, -1) : host;
  return {
    name: "posthog",
    request(rows, now) {
      const isSnapshot = rows[0]?.kind === "snapshot";
      const run = leading(rows, isSnapshot ? 1 : EVENTS_PER_REQUEST);
      const events = run.map(jsonOf) as { properties: object }[];
      const withToken = events.map((event) => ({
        ...event,
        api_key: key,
        properties: { ...event.properties, token: key },
      }));
      const sentAt = new Date(now).toISOString();
      const body = isSnapshot
        ? withToken.map((event) => ({ ...event, sent_at: sentAt }))
        : { api_key: key, batch: withToken, sent_at: sentAt };
      return {
        url: `${base}${isSnapshot ? "/s/" : "/batch/"}`,
        headers: { "Content-Type": "application/json", "Content-Encoding": "gzip" },
        body: JSON.stringify(body),
        isCompressed: true,
        rows: run.length,
      };
    },
  };
}

/** One envelope for each error; Sentry knows it by its `event_id`. */
function sentryService({ dsn }: NonNullable<ForwardConfig["sentry"]>): Service {
  const { origin, pathname, username, protocol, host } = new URL(dsn);
  const folders = pathname.split("/").filter(Boolean);
  const project = folders.pop() ?? "";
  const prefix = folders.map((folder) => `/${folder}`).join("");
  const publicDsn = `${protocol}//${username}@${host}${prefix}/${project}`;
  return {
    name: "sentry",
    request(rows, now) {
      const [row] = rows;
      const event = row ? (jsonOf(row) as { event_id?: string }) : {};
      const payload = JSON.stringify(event);
      const header = { event_id: event.event_id, sent_at: new Date(now).toISOString(), dsn: publicDsn };
      const item = { type: "event", content_type: "application/json", length: Buffer.byteLength(payload) };
      return {
        url: `${origin}${prefix}/api/${project}/envelope/`,
        headers: {
          "Content-Type": "application/x-sentry-envelope",
          "X-Sentry-Auth": `Sentry sentry_version=7, sentry_client=millrace/1.0, sentry_key=${username}`,
        },
        body: `${JSON.stringify(header)}\n${JSON.stringify(item)}\n${payload}\n`,
        isCompressed: false,
        rows: 1,
      };
    },
  };
}

function algoliaService({ appId, key, host }: NonNullable<ForwardConfig["algolia"]>): Service {
  return {
    name: "algolia",
    request(rows) {
      const run = leading(rows, EVENTS_PER_REQUEST);
      return {
        url: `${host ?? "https://insights.algolia.io"}/1/events`,
        headers: {
          "Content-Type": "application/json",
          "X-Algolia-Application-Id": appId,
          "X-Algolia-API-Key": key,
        },
        body: JSON.stringify({ events: run.map(jsonOf) }),
        isCompressed: false,
        rows: run.length,
      };
    },
  };
}
