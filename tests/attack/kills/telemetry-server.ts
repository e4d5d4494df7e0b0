/** Telemetry's routes behind a real server, as a process that can be killed; tells its port over IPC. */
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
  // Each answer is one of its own: thirty a minute would be few here.
  clock: fastClock(),
});
const server = serve({ fetch: telemetry.app.fetch, hostname: "127.0.0.1", port: 0 });
server.once("listening", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());

/** A clock on which each look is seconds later, so that no limit of a minute is met. */
function fastClock(): () => number {
  let now = Date.now();
  return () => (now += 5000);
}
