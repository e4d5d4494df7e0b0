import { spawnSync } from "node:child_process";
import type { Environment } from "../../src/environment.ts";
import packageJson from "../../package.json" with { type: "json" };
import { siteConfig } from "../../site.config.ts";
import type { ForwardConfig } from "../../src/telemetry/config.ts";
import { openTelemetry, type Telemetry } from "../../src/telemetry/open-telemetry.ts";
import { root } from "./folders.ts";

interface SiteTelemetryOptions {
  /** The folder of the built client's source maps; absent in development, where Vite serves the source itself. */
  sourceMaps?: string;
  environment?: "production" | "development";
}

/** Telemetry as `site.config.ts` and the environment choose it. */
export function openSiteTelemetry(env: Environment, options: SiteTelemetryOptions = {}): Telemetry {
  return openTelemetry({
    dataDir: env.DATA_DIR,
    origin: env.SITE_ORIGIN,
    config: siteConfig.telemetry,
    forward: forwardConfig(env),
    root,
    release: release(),
    ...(env.CONSOLE_TOKEN && { consoleToken: env.CONSOLE_TOKEN }),
    ...options,
  });
}

/** The commit that runs; without a repository the package's version. */
function release(): string {
  const git = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: root, encoding: "utf8" });
  return git.status === 0 ? git.stdout.trim() : packageJson.version;
}

function forwardConfig(env: Environment): ForwardConfig {
  const { POSTHOG_HOST: host, POSTHOG_KEY: key, SENTRY_DSN: dsn, ALGOLIA_INSIGHTS_KEY: insightsKey } = env;
  const { algolia } = siteConfig.search;
  return {
    ...(host && key && { posthog: { host, key } }),
    ...(dsn && { sentry: { dsn } }),
    ...(insightsKey && algolia && { algolia: { appId: algolia.appId, key: insightsKey } }),
  };
}
