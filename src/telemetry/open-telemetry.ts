/** The whole of telemetry on the server, composed: ingest → store → reports. `server.ts` mounts it. */
import { join } from "node:path";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { type AddressOf, connectionAddress } from "#platform/http/client-address.ts";
import type { ForwardConfig, TelemetryConfig } from "./config.ts";
import { dayOf } from "./days.ts";
import { createViewCounter } from "./ingest/count-views.ts";
import { createServerErrors } from "./errors/server-errors.ts";
import { createFeedbackApp } from "./ingest/feedback.ts";
import { insightsRoutes } from "./ingest/insights-routes.ts";
import { createIntake } from "./ingest/intake.ts";
import { createSearchJoiner } from "./ingest/join-searches.ts";
import { posthogRoutes } from "./ingest/posthog/posthog-routes.ts";
import { createSenderKeys } from "./ingest/sender.ts";
import { sentryRoutes, takeServerEnvelope } from "./ingest/sentry/sentry-routes.ts";
import { countableWords } from "./ingest/strip-identifying.ts";
import { yourDataRoutes } from "./ingest/your-data-routes.ts";
import { DEFAULT_LIMITS, type TelemetryLimits } from "./limits.ts";
import { createSearchActions } from "../app/.server/actions/search-actions.ts";
import { consoleRoutes } from "../app/.server/console-routes.ts";
import { createSessions } from "../app/.server/session.ts";
import { signInRoutes } from "../app/.server/sign-in-routes.ts";
import { registerTelemetryMetrics } from "./register-metrics.ts";
import { openTelemetryStore, type TelemetryStore } from "./store/telemetry-store.ts";

/** How often searches are looked through for those that nobody types at any more. */
const SWEEP_MS = 2000;

export interface TelemetryOptions {
  /** Where the database lies. */
  dataDir: string;
  /** The address that readers see. */
  origin: string;
  config: TelemetryConfig;
  /** Signs the operator in; absent: nobody can sign in. */
  consoleToken?: string;
  forward?: ForwardConfig;
  /** The folder of the built client's source maps; it is never served. */
  sourceMaps?: string;
  /** The repository's folder: the server's own errors are named from it. */
  root?: string;
  /** What runs: a commit or a version; and in `development` the console writes the repository's files. */
  release?: string;
  environment?: "production" | "development";
  limits?: Partial<TelemetryLimits>;
  /** Who sends a request. Default: the connection's address, so that no proxy is believed. */
  addressOf?: AddressOf;
  clock?: () => number;
  log?: (line: string) => void;
}

export interface Telemetry {
  /** Ingest, a reader's own data and the console's API, to be mounted at the site's origin. */
  app: Hono;
  /** Counts pages by what they answer; to be put before everything that answers pages. */
  countViews: MiddlewareHandler;
  /** What one request searched; without a context it was a page rendered with its results. */
  countSearches: (searches: readonly { query: string; hits: number }[], context?: Context) => void;
  /** An error of the server's own; `path` is the request's that failed. */
  reportError: (error: unknown, path: string | null) => void;
  /**
   * An address that opens the console once, within an hour. The code stands in its fragment, which browsers send to nobody:
   * it is in no log of a proxy and in no Referer.
   */
  makeConsoleLink: () => string;
  store: TelemetryStore;
  registerMetrics: (metrics: Metrics) => void;
  /** Whether the database answers. */
  isReady: () => Promise<boolean>;
  close: () => Promise<void>;
}

export function openTelemetry(options: TelemetryOptions): Telemetry {
  const { dataDir, origin, config, consoleToken, forward = {}, sourceMaps } = options;
  const { clock = Date.now, log = (line: string) => console.error(line) } = options;
  const { addressOf = connectionAddress } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const store = openTelemetryStore({
    file: join(dataDir, "telemetry.sqlite"),
    formerFeedback: join(dataDir, "feedback.ndjson"),
    retention: { retentionDays: config.retentionDays, maxBytes: config.maxBytes },
    forward,
    sourceMaps: sourceMaps ?? null,
    root: options.root ?? process.cwd(),
    limits,
    log,
  });
  const keys = createSenderKeys(addressOf, clock);
  const intake = createIntake({ origin, limits, clock, keys, addressOf });
  const joiner = createSearchJoiner(({ query, hits, at }) => {
    const search = { day: dayOf(at), words: countableWords(query), isFound: hits > 0 };
    store.count({ searches: [search] });
  }, clock);
  const sweep = startPeriodicJob({
    name: "joining of searches",
    everyMs: SWEEP_MS,
    run: joiner.sweep,
    onError: (error, name) => log(`Telemetry: the ${name} failed: ${String(error)}`),
  });
  const sessions = createSessions(consoleToken ?? null, clock);

  const root = options.root ?? process.cwd();
  const isWritable = options.environment === "development";
  const runAction = createSearchActions({ root, isWritable });

  const app = new Hono();
  app.route("/", posthogRoutes({ config, store, intake, limits, clock }));
  const sentry = { store, intake, limits, clock, isForwarded: forward.sentry !== undefined };
  const serverErrors = createServerErrors({
    release: options.release ?? null,
    environment: options.environment ?? "production",
    // What the database does not take is counted and logged by the store.
    take: (envelope) => takeServerEnvelope(envelope, sentry).catch(() => {}),
  });
  app.route("/", sentryRoutes(sentry));
  app.route("/", insightsRoutes({ config, store, intake, limits, clock }));
  app.route("/", createFeedbackApp({ store, intake, clock }));
  app.route("/", yourDataRoutes({ store, intake, clock }));
  app.route("/", signInRoutes({ sessions, origin, addressOf, clock }));
  app.route("/", consoleRoutes({ config, store, intake, sessions, origin, clock, runAction }));
  return {
    app,
    countViews: createViewCounter({
      count: (view) => store.count({ views: [view] }),
      keyOf: keys.ofReader,
      origin,
      clock,
    }),
    countSearches(searches, context) {
      const reader = context ? keys.ofReader(context) : null;
      for (const { query, hits } of searches) joiner.add(reader ?? `page ${query}`, query, hits);
    },
    reportError: serverErrors.report,
    makeConsoleLink: () => `${origin}/console#code=${sessions.makeCode()}`,
    store,
    registerMetrics: (metrics) => registerTelemetryMetrics(metrics, { intake, store }),
    isReady: () => store.ask("health", {}).then(() => true),
    async close() {
      await sweep.stop();
      await serverErrors.close();
      joiner.flush();
      await store.close();
    },
  };
}
