/** Each kind of telemetry data, as a reader or a stranger sends it, and a small telemetry to send it to. */
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { serve } from "@hono/node-server";
import { createAddressOf } from "#platform/http/addresses/client-address.ts";
import { openTelemetry } from "#telemetry/index.ts";
import type { Sent } from "./requests.ts";

export const KINDS = ["recordings", "events", "errors", "feedback"] as const;
export type Kind = (typeof KINDS)[number];

/** Clients are behind this proxy, so that they can have any address. */
export const PROXY = "127.0.0.1";
/** The room of the small telemetry; the site's own may take a hundred times as much. */
export const SMALL_BYTES = 20_000_000;
/** Texts of an event are cut beyond this. */
const TEXT_LENGTH = 3900;

interface Wanted {
  /** The name by which its row is found. */
  name?: string;
  /** About how many are kept. */
  bytes?: number;
}

export function requestOf(
  kind: Kind,
  from: string,
  { name = randomUUID(), bytes = 1000 }: Wanted = {},
): Sent {
  const [path, body, type] = makers[kind](name, bytes);
  const headers = { "content-type": type, "x-forwarded-for": from };
  return { method: "POST", path, body, headers };
}

const many = (bytes: number, size: number) => Array.from({ length: Math.max(1, Math.round(bytes / size)) });

const makers: { [kind in Kind]: (name: string, bytes: number) => [string, string | Buffer, string] } = {
  recordings(uuid, bytes) {
    // Three quarters are what gzip makes of base64.
    const data = randomBytes(bytes).toString("base64");
    const properties = {
      distinct_id: "a-reader-of-the-attack",
      $session_id: uuid,
      $snapshot_data: [{ type: 3, timestamp: Date.now(), data }],
    };
    return ["/ingest/s/", gzipSync(JSON.stringify([{ event: "$snapshot", uuid, properties }])), "text/plain"];
  },
  events(name, bytes) {
    const batch = many(bytes, TEXT_LENGTH).map((_, at) => ({
      event: "search",
      uuid: at === 0 ? name : randomUUID(),
      distinct_id: "a-reader-of-the-attack",
      properties: { query: "x".repeat(Math.min(bytes, TEXT_LENGTH)) },
    }));
    return ["/ingest/e/", JSON.stringify({ batch }), "application/json"];
  },
  errors(name, bytes) {
    const frame = {
      filename: `/assets/${"x".repeat(150)}.js`,
      function: "x".repeat(100),
      lineno: 1,
      colno: 1,
    };
    const frames = many(Math.min(bytes, 10_000), 300).map(() => frame);
    const lines = many(Math.min(bytes, 100_000), 10_000).map((_, at) => {
      const event_id = (at === 0 ? name : randomUUID()).replaceAll("-", "");
      const value = { type: "Error", value: "x", stacktrace: { frames } };
      return `{"type":"event"}\n${JSON.stringify({ event_id, exception: { values: [value] } })}\n`;
    });
    return ["/errors/envelope", `{}\n${lines.join("")}`, "text/plain"];
  },
  feedback(name, bytes) {
    const text = `${name} ${"x".repeat(bytes - name.length - 1)}`;
    return ["/feedback", JSON.stringify({ path: "/docs", answer: "no", text }), "application/json"];
  },
};

/** The names of stored rows. */
export function readNames(dataDir: string): ReadonlySet<string> {
  const db = new DatabaseSync(join(dataDir, "telemetry.sqlite"), { readOnly: true });
  const names = db.prepare(
    `SELECT uuid AS name FROM snapshots UNION ALL SELECT uuid FROM events UNION ALL SELECT substr(text, 1, 36) FROM feedback
     UNION ALL SELECT substr(eventId, 1, 8) || '-' || substr(eventId, 9, 4) || '-' || substr(eventId, 13, 4) || '-' ||
       substr(eventId, 17, 4) || '-' || substr(eventId, 21) FROM errors`,
  );
  const found = new Set(names.all().map((row) => String(row["name"])));
  db.close();
  return found;
}

/** Telemetry's routes behind a real server, in this process. */
export async function startSmallTelemetry(
  dataDir: string,
): Promise<{ port: number; close: () => Promise<void> }> {
  const telemetry = openTelemetry({
    dataDir,
    origin: `http://${PROXY}`,
    config: {
      retentionDays: 30,
      maxBytes: SMALL_BYTES,
      analytics: true,
      recording: true,
      flags: [],
      surveys: [],
    },
    addressOf: createAddressOf([PROXY]),
  });
  const server = serve({ fetch: telemetry.app.fetch, hostname: PROXY, port: 0 });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await telemetry.close();
    },
  };
}
