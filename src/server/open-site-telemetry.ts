import { join } from "node:path";
import type { Hono } from "hono";
import type { Environment } from "./environment.ts";
import { siteConfig } from "../../site.config.ts";
import { createConsoleRoutes } from "#app/.server/console-routes.ts";
import { CONSOLE_TOKEN_FILE, readConsoleToken } from "#app/.server/console-token.ts";
import { createAddressOf } from "#platform/http/client-address.ts";
import {
  DEFAULT_LIMITS,
  type ForwardConfig,
  openTelemetry,
  type Telemetry,
  type TelemetryLimits,
} from "#telemetry/index.ts";
import { root } from "./build-folders.ts";
import { UserError } from "./user-error.ts";

interface SiteTelemetryOptions {
  /** The folder of the built client's source maps; absent in development, where Vite serves the source itself. */
  sourceMaps?: string;
  /** The same release that the browser reports: `releaseName`, or `development`. */
  release: string;
  environment?: "production" | "development";
  /** Default: `console.error`. */
  log?: (line: string) => void;
}

/** Telemetry, and the console that shows it. */
export interface SiteTelemetry extends Telemetry {
  /** The console's sign-in and its reports. */
  consoleApp: Hono;
  /** An address that signs an operator in once, within an hour. */
  makeConsoleLink: () => string;
}

/**
 * Telemetry as `site.config.ts` and the environment choose it. Without `CONSOLE_TOKEN` its token is kept in
 * `DATA_DIR`.
 * @throws UserError when it cannot be kept there
 */
export async function openSiteTelemetry(
  env: Environment,
  options: SiteTelemetryOptions,
): Promise<SiteTelemetry> {
  const token = env.CONSOLE_TOKEN ?? (await readConsoleToken(env.DATA_DIR).catch(failToKeepToken(env)));
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
  const { app, makeLink } = createConsoleRoutes({ ...common, telemetry, token, isWritable });
  return {
    ...telemetry,
    consoleApp: app,
    makeConsoleLink: makeLink,
  };
}

/** What one client may send, multiplied by `RATE_LIMIT_FACTOR`; 0 removes the limits. */
function scaleClientLimits(factor: number): Partial<TelemetryLimits> {
  const scale = (limit: number) => (factor === 0 ? Number.MAX_SAFE_INTEGER : Math.max(1, limit * factor));
  const { requestsPerAddress, eventsPerAddress, bytesPerAddress } = DEFAULT_LIMITS;
  return {
    requestsPerAddress: scale(requestsPerAddress),
    eventsPerAddress: scale(eventsPerAddress),
    bytesPerAddress: scale(bytesPerAddress),
  };
}

function failToKeepToken({ DATA_DIR }: Environment) {
  return (error: unknown): never => {
    throw new UserError(
      `The console's token cannot be kept in ${DATA_DIR} (${error instanceof Error ? error.message : error}): set CONSOLE_TOKEN, or DATA_DIR to a folder that this user can write.`,
    );
  };
}

/**
 * What the start says about the console when `CONSOLE_TOKEN` is not set; the token itself is never printed.
 */
export function describeConsole(
  env: Environment,
  telemetry: Pick<SiteTelemetry, "makeConsoleLink">,
): string | null {
  if (env.CONSOLE_TOKEN !== undefined) return null;
  const file = join(env.DATA_DIR, CONSOLE_TOKEN_FILE);
  return `  console    ${telemetry.makeConsoleLink()}\n             signs in once, within an hour; the token for later is in ${file}`;
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
