/** The room, configured by the environment: data that readers agreed to send, and copies of it for other services. */
import type { DiskWatch } from "#platform/files/disk-space.ts";
import { createAddressOf } from "#platform/http/addresses/client-address.ts";
import { jsonApp } from "#platform/house/part-apps.ts";
import type { OpenedRoom, RoomPlan } from "#platform/house/plan.ts";
import { createRoom, type Mount } from "#platform/house/room.ts";
import type { ServerEnvironment } from "#platform/house/server-variables.ts";
import type { Log } from "#platform/log/log.ts";
import type { ForwardConfig, TelemetryConfig } from "./contract/config.ts";
import { DEFAULT_LIMITS, type TelemetryLimits } from "./contract/limits.ts";
import { openTelemetry, type Telemetry } from "./open-telemetry.ts";
import { type TelemetryEnvironment, telemetryVariables } from "./variables.ts";

interface TelemetryFloor {
  log: Log;
  disk: DiskWatch;
  /** The checkout's folder. */
  root: string;
  telemetryConfig: TelemetryConfig;
  /** The id in `search.algolia`; null: the site has another search. */
  algoliaAppId: string | null;
  pages: () => Promise<{ release: Release }>;
}

/** The running release, as errors name it. */
export interface Release {
  /** The name that the browser reports as well: `millrace@0.1.0+1a2b3c4d`, or `development`. */
  name: string;
  environment: "production" | "development";
  /** The folder of the built client's source maps; null in development, where Vite serves the source itself. */
  sourceMaps: string | null;
}

interface GivenTelemetry {
  telemetry: Telemetry;
  countSearches: Telemetry["countSearches"];
}

export const telemetryRoom: RoomPlan<TelemetryFloor, GivenTelemetry, typeof telemetryVariables> = {
  variables: telemetryVariables,
  // Its records are in a database of its own (`store/`).
  migrations: [],
  sealed: [],
  open: async (floor, env) => open(floor, (await floor.pages()).release, env),
};

function open(
  { log, disk, root, telemetryConfig, algoliaAppId }: TelemetryFloor,
  release: Release,
  env: TelemetryEnvironment & ServerEnvironment,
): OpenedRoom<GivenTelemetry> {
  const telemetry = openTelemetry({
    dataDir: env.DATA_DIR,
    origin: env.SITE_ORIGIN,
    config: telemetryConfig,
    root,
    addressOf: createAddressOf(env.TRUSTED_PROXIES),
    forward: forwardConfig(env, algoliaAppId),
    limits: scaleClientLimits(env.RATE_LIMIT_FACTOR),
    release: release.name,
    environment: release.environment,
    ...(release.sourceMaps !== null && { sourceMaps: release.sourceMaps }),
    log: (line) => log.warn(line),
  });
  const room = createRoom("telemetry", {
    mounts: [telemetryMount(telemetry)],
    // On a full disk it stores nothing, and everything else continues.
    isReady: async () => disk.level === "full" || telemetry.isReady(),
    registerMetrics: telemetry.registerMetrics,
    close: telemetry.close,
  });
  return { room, gives: { telemetry, countSearches: telemetry.countSearches } };
}

const TELEMETRY_PATHS = [
  "/ingest/*",
  "/insights/*",
  "/errors/*",
  "/feedback",
  "/your-data/export",
  "/your-data/erase",
];

export const telemetryMount = ({ app }: Pick<Telemetry, "app">): Mount => ({
  part: "telemetry",
  paths: TELEMETRY_PATHS,
  takesTurns: true,
  serve: ({ offerTurn }) => jsonApp(app, ["POST"], offerTurn),
});

/** The limits of one client, multiplied by `RATE_LIMIT_FACTOR`; 0 removes them. */
function scaleClientLimits(factor: number): Partial<TelemetryLimits> {
  const scale = (limit: number) => (factor === 0 ? Number.MAX_SAFE_INTEGER : Math.max(1, limit * factor));
  const { requestsPerAddress, eventsPerAddress, bytesPerAddress, sharePerAddress } = DEFAULT_LIMITS;
  return {
    requestsPerAddress: scale(requestsPerAddress),
    eventsPerAddress: scale(eventsPerAddress),
    bytesPerAddress: scale(bytesPerAddress),
    sharePerAddress: factor === 0 ? Number.MAX_SAFE_INTEGER : sharePerAddress * factor,
  };
}

function forwardConfig(env: TelemetryEnvironment, algoliaAppId: string | null): ForwardConfig {
  const { POSTHOG_HOST: host, POSTHOG_KEY: key, SENTRY_DSN: dsn, ALGOLIA_INSIGHTS_KEY: insightsKey } = env;
  if (insightsKey && algoliaAppId === null)
    console.warn("  ALGOLIA_INSIGHTS_KEY is not used: search.algolia in site.config.ts is null.");
  return {
    ...(host && key && { posthog: { host, key } }),
    ...(dsn && { sentry: { dsn } }),
    ...(insightsKey && algoliaAppId !== null && { algolia: { appId: algoliaAppId, key: insightsKey } }),
  };
}
