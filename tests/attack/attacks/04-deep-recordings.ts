import { gzipSync } from "node:zlib";
import type { Attack } from "../attack.ts";
import type { Sent } from "../requests.ts";

const MEGABYTES = 20_000_000;

/** A recording whose only event has `text`, gzipped by rrweb and once more for transport. */
function snapshot(text: string | Buffer): Sent {
  const data = gzipSync(text).toString("latin1");
  return recording({ type: 2, timestamp: Date.now(), cv: "2024-10", data });
}

function recording(event: unknown): Sent {
  const properties = { distinct_id: "a", $session_id: "a", $window_id: "a", $snapshot_data: [event] };
  return gzipped(JSON.stringify([{ event: "$snapshot", properties }]));
}

function gzipped(text: string | Buffer): Sent {
  return {
    method: "POST",
    path: "/ingest/s/",
    body: gzipSync(text),
    headers: { "content-type": "text/plain" },
  };
}

export const deepRecordings: Attack = {
  item: 4,
  name: "recordings that are deeper than anything",
  bound: "Depth and size are limited before anything is parsed; the telemetry's thread keeps running.",
  async run(stage) {
    const server = await stage.target();
    const brackets = Buffer.alloc(MEGABYTES - 1000, "[");
    await stage.strike(server, "20 MB of [ in one event", snapshot(brackets));
    await stage.strike(server, "20 MB of [ as the body", gzipped(brackets));
    const events = Buffer.from(`[${"[],".repeat(MEGABYTES / 4)}[]]`);
    await stage.strike(
      server,
      "15 MB of empty lists in one event",
      snapshot(events.subarray(0, MEGABYTES - 1000)),
    );
    if (stage.isShort) return;
    await stage.strike(server, "7 million values in one event", snapshot(`[${"{},".repeat(6_000_000)}{}]`));
    await stage.strike(server, "50,000 events in one part", gzipped(manyEvents()));
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    await stage.strike(server, "100,000 objects in one another", snapshot(deep));
    const captured = { event: "x", distinct_id: "a", properties: {} };
    const body = JSON.stringify(captured).replace(
      "{}",
      `{"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`,
    );
    await stage.strike(server, "an event of 2 MB of [", { ...gzipped(body), path: "/ingest/e/" });
    const wide = JSON.stringify({
      ...captured,
      properties: Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, at])),
    });
    await stage.strike(server, "an event of 200,000 properties", { ...gzipped(wide), path: "/ingest/e/" });
    const batch = JSON.stringify({
      batch: Array.from({ length: 1000 }, (_, at) => ({
        ...captured,
        event: `e${at}`,
        properties: manyProperties(),
      })),
    });
    await stage.strike(server, "1,000 events of 200 properties", {
      ...gzipped(batch.slice(0, 3_900_000)),
      path: "/ingest/batch/",
    });
  },
};

function manyEvents(): string {
  const events = Array.from({ length: 50_000 }, (_, at) => ({ type: 3, timestamp: at, data: {} }));
  return JSON.stringify([
    { event: "$snapshot", properties: { distinct_id: "a", $session_id: "a", $snapshot_data: events } },
  ]);
}

function manyProperties(): object {
  return Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`p${at}`, at]));
}
