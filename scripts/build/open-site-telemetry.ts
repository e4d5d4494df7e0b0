import type { Environment } from "../../src/environment.ts";
import { siteConfig } from "../../site.config.ts";
import type { AddressOf } from "../../src/platform/http/client-address.ts";
import type { ForwardConfig } from "../../src/telemetry/config.ts";
import { openTelemetry, type Telemetry } from "../../src/telemetry/open-telemetry.ts";
import { root } from "./folders.ts";

interface SiteTelemetryOptions {
  /** The folder of the built client's source maps; absent in development, where Vite serves the source itself. */
  sourceMaps?: string;
  /** What the browser reports too: `releaseName`, `development` there. */
  release: string;
  environment?: "production" | "development";
  /** Who sends a request. Default: the connection's address, so that no proxy is believed. */
  addressOf?: AddressOf;
}

/** Telemetry as `site.config.ts` and the environment choose it. */
export function openSiteTelemetry(env: Environment, options: SiteTelemetryOptions): Telemetry {
  return openTelemetry({
    dataDir: env.DATA_DIR,
    origin: env.SITE_ORIGIN,
    config: siteConfig.telemetry,
    forward: forwardConfig(env),
    root,
    ...(env.CONSOLE_TOKEN && { consoleToken: env.CONSOLE_TOKEN }),
    ...options,
  });
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
