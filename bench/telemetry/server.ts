/** The site's server with search and telemetry, in its own process. Answers `cpu` with the CPU time it has used. */
import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSearchRoutes, createSearchStore } from "#search-server/index.ts";
import { createApp } from "#server/app.ts";
import { listen } from "#server/port/listen.ts";
import { openTelemetry } from "#telemetry/index.ts";
import { houseOf } from "#server/testing/house.ts";

const [indexFile = "", mode = "on"] = process.argv.slice(2);
const isOn = mode === "on";
const unlimited = 1e9;
const telemetry = openTelemetry({
  dataDir: mkdtempSync(join(tmpdir(), "bench-telemetry-")),
  origin: "http://localhost",
  config: { retentionDays: 30, maxBytes: 2e9, analytics: true, recording: true, flags: [], surveys: [] },
  limits: {
    requestsPerAddress: unlimited,
    eventsPerAddress: unlimited,
    eventsPerMinute: unlimited,
    bytesPerAddress: 1e12,
    sharePerAddress: unlimited,
    sharePerDay: unlimited,
  },
});
const store = createSearchStore();
store.replace("docs", await readFile(indexFile));
const app = createApp(
  houseOf({
    origin: "http://localhost",
    files: new Map(),
    pathFor: (path) => path,
    searchRoutes: createSearchRoutes({
      store,
      publicIndexes: ["docs"],
      ...(isOn && { onSearch: telemetry.countSearches }),
    }),
    telemetry: {
      app: telemetry.app,
      ...(isOn && { countViews: telemetry.countViews }),
    },
    render: () => Promise.resolve(new Response(null, { status: 404 })),
  }),
);
const server = await listen(app, "127.0.0.1", 0);

process.on("message", (message) => {
  if (message !== "cpu") return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, ...telemetry.store.status() });
});
process.on("disconnect", () => process.exit());
process.send?.({ port: (server.address() as AddressInfo).port });
