/** Telemetry's routes behind a real server, as a process that can be killed; reports its port over IPC. */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { openTelemetry } from "#telemetry/index.ts";

const unlimited = 1e9;
const [dataDir = ""] = process.argv.slice(2);
const telemetry = openTelemetry({
  dataDir,
  origin: "http://127.0.0.1",
  config: { retentionDays: 30, maxBytes: 2e9, analytics: true, recording: true, flags: [], surveys: [] },
  limits: {
    requestsPerAddress: unlimited,
    eventsPerAddress: unlimited,
    eventsPerMinute: unlimited,
    bytesPerAddress: 1e12,
  },
  // Every answer is counted separately, and thirty a minute would be too few here.
  clock: fastClock(),
});
const server = serve({ fetch: telemetry.app.fetch, hostname: "127.0.0.1", port: 0 });
server.once("listening", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());

/** A clock that advances by seconds at each reading, so that no limit per minute is reached. */
function fastClock(): () => number {
  let now = Date.now();
  return () => (now += 5000);
}
