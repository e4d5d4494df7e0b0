import type { Hono } from "hono";
import type { Environment } from "./environment.ts";
import { siteConfig } from "#config";
import { createConsoleRoutes } from "#app/.server/console-routes.ts";
import { createOperatorCheck } from "#app/.server/guard.ts";
import { createAddressOf } from "#platform/http/client-address.ts";
import {
  DEFAULT_LIMITS,
  type ForwardConfig,
  openTelemetry,
  type Telemetry,
  type TelemetryLimits,
} from "#telemetry/index.ts";
import { root } from "./build-folders.ts";
import type { OpenedAccounts } from "./open-accounts.ts";
import type { DocsSearch } from "./open-search.ts";
import { createTryChange } from "./try-search/try-change.ts";

interface SiteTelemetryOptions {
  /** The folder of the built client's source maps; absent in development, where Vite serves the source itself. */
  sourceMaps?: string;
  /** The same release that the browser reports: `releaseName`, or `development`. */
  release: string;
  environment?: "production" | "development";
  /** Who may read the console. */
  accounts: Pick<OpenedAccounts, "accounts" | "callers">;
  /** What the console asks and tries. It may be opened later. */
  search: () => Pick<DocsSearch, "askQuietly" | "readIndex">;
  /** Default: `console.error`. */
  log?: (line: string) => void;
}

/** Telemetry, and the console that shows it. */
export interface SiteTelemetry extends Telemetry {
  /** The console's reports. */
  consoleApp: Hono;
}

/** Telemetry as `site.config.ts` and the environment choose it. */
export function openSiteTelemetry(
  env: Environment,
  { accounts: { accounts, callers }, search, ...options }: SiteTelemetryOptions,
): SiteTelemetry {
  const common = {
    origin: env.SITE_ORIGIN,
    config: siteConfig.telemetry,
    root,
    addressOf: createAddressOf(env.TRUSTED_PROXIES),
  };
  const telemetry = openTelemetry({
    ...common,
    dataDir: env.DATA_DIR,
    forward: forwardConfig(env),
    limits: scaleClientLimits(env.RATE_LIMIT_FACTOR),
    ...options,
  });
  const isWritable = options.environment === "development";
  const checkOperator = createOperatorCheck(accounts, callers);
  const consoleSearch = {
    search: (body: unknown) => search().askQuietly(body),
    tryChange: createTryChange(() => search().readIndex()),
  };
  return {
    ...telemetry,
    consoleApp: createConsoleRoutes({ ...common, telemetry, checkOperator, isWritable, ...consoleSearch }),
  };
}

/** What one client may send, multiplied by `RATE_LIMIT_FACTOR`; 0 removes the limits. */
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

function forwardConfig(env: Environment): ForwardConfig {
  const { POSTHOG_HOST: host, POSTHOG_KEY: key, SENTRY_DSN: dsn, ALGOLIA_INSIGHTS_KEY: insightsKey } = env;
  const { algolia } = siteConfig.search;
  if (insightsKey && !algolia)
    console.warn("  ALGOLIA_INSIGHTS_KEY is not used: search.algolia in site.config.ts is null.");
  return {
    ...(host && key && { posthog: { host, key } }),
    ...(dsn && { sentry: { dsn } }),
    ...(insightsKey && algolia && { algolia: { appId: algolia.appId, key: insightsKey } }),
  };
}
