import { join } from "node:path";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { type AddressOf, connectionAddress } from "#platform/http/addresses/client-address.ts";
import type { ForwardConfig, TelemetryConfig } from "./contract/config.ts";
import { dayOf } from "./contract/days.ts";
import { createServerErrors } from "./errors/server-errors.ts";
import { createViewCounter } from "./ingest/count-views.ts";
import { createFeedbackApp } from "./ingest/feedback.ts";
import { insightsRoutes } from "./ingest/insights-routes.ts";
import { createIntake, type Intake } from "./ingest/intake.ts";
import { createSearchJoiner } from "./ingest/join-searches.ts";
import { posthogRoutes } from "./ingest/posthog/posthog-routes.ts";
import { createNameShare } from "./ingest/name-share.ts";
import { createReaderKeys } from "./ingest/sender.ts";
import { MAX_NAMES } from "./store/day-counts.ts";
import { sentryRoutes, takeServerEnvelope } from "./ingest/sentry/sentry-routes.ts";
import { yourDataRoutes } from "./ingest/your-data-routes.ts";
import { DEFAULT_LIMITS, type TelemetryLimits } from "./contract/limits.ts";
import { countableWords } from "./parse/strip-identifying.ts";
import type { IngestHealth } from "./queries/report-types.ts";
import { registerTelemetryMetrics } from "./register-metrics.ts";
import { openTelemetryStore, type TelemetryStore } from "./thread/telemetry-store.ts";

/** How often the joiner looks for searches that no one has typed at for a while. */
const SWEEP_MS = 2000;
/** New words of one address per day, out of the day's maximum. */
const WORDS_PER_ADDRESS = 200;

export interface TelemetryOptions {
  /** The database's folder. */
  dataDir: string;
  /** The address that readers see. */
  origin: string;
  config: TelemetryConfig;
  forward?: ForwardConfig;
  /** The folder of the built client's source maps; it is never served. */
  sourceMaps?: string;
  /** The repository's folder. Frames of the server's own errors are named relative to it. */
  root?: string;
  /** The running version or commit. */
  release?: string;
  environment?: "production" | "development";
  limits?: Partial<TelemetryLimits>;
  /** The sender of a request. Default: the connection's address, so that no proxy is believed. */
  addressOf?: AddressOf;
  clock?: () => number;
  log?: (line: string) => void;
}

export interface Telemetry {
  /** Ingest and the routes for a reader's own data, to be mounted at the site's origin. */
  app: Hono;
  /** Counts pages by their answers; must come before everything that answers pages. */
  countViews: MiddlewareHandler;
  /** Counts one request's searches; without a context it was a page rendered with its results. */
  countSearches: (searches: readonly { query: string; hits: number }[], context?: Context) => void;
  /** A server error; `path` is that of the failed request. */
  reportError: (error: unknown, path: string | null) => void;
  /** The state of ingest, database and forwarding. Never rejects: without its database it reports an empty one. */
  health: () => Promise<IngestHealth>;
  store: TelemetryStore;
  registerMetrics: (metrics: Metrics) => void;
  /** Whether the database answers. */
  isReady: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** Starts the database's thread, and composes everything that gives it rows. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const { origin, config, clock = Date.now, addressOf = connectionAddress } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const store = openStore(options, limits);
  const readerOf = createReaderKeys(addressOf, clock);
  const intake = createIntake({ origin, config, limits, clock, addressOf });
  const mayNameSearch = createNameShare({ perAddress: WORDS_PER_ADDRESS, perDay: MAX_NAMES, clock });
  const joiner = createSearchJoiner(({ query, hits, at, address }) => {
    const words = countableWords(query);
    const search = { day: dayOf(at), words: mayNameSearch(address, words) ? words : "", isFound: hits > 0 };
    store.count({ searches: [search] });
  }, clock);
  const sweep = startPeriodicJob({
    name: "joining of searches",
    everyMs: SWEEP_MS,
    run: joiner.sweep,
    onError: (error, name) =>
      (options.log ?? console.error)(`Telemetry: the ${name} failed: ${String(error)}`),
  });
  const sentry = { store, intake, limits, clock, isForwarded: options.forward?.sentry !== undefined };
  const serverErrors = createServerErrors({
    release: options.release ?? null,
    environment: options.environment ?? "production",
    clock,
    // The store counts and logs whatever the database does not accept.
    take: (envelope) => takeServerEnvelope(envelope, sentry).catch(() => {}),
  });
  const app = new Hono();
  app.route("/", posthogRoutes({ config, store, intake, limits, clock }));
  app.route("/", sentryRoutes(sentry));
  app.route("/", insightsRoutes({ config, store, intake, limits, clock }));
  app.route("/", createFeedbackApp({ store, intake, clock }));
  app.route("/", yourDataRoutes({ store, intake, clock }));
  return {
    app,
    countViews: createViewCounter({
      count: (view) => store.count({ views: [view] }),
      countMissing: (missing) => store.count({ missing: [missing] }),
      keyOf: readerOf,
      addressOf,
      origin,
      clock,
    }),
    countSearches(searches, context) {
      const reader = context ? readerOf(context) : null;
      const address = context ? addressOf(context) : null;
      for (const { query, hits } of searches) joiner.add(reader ?? `page ${query}`, { query, hits, address });
    },
    reportError: serverErrors.report,
    health: createHealth({ store, intake, config, startedAt: clock() }),
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

function openStore(options: TelemetryOptions, limits: TelemetryLimits): TelemetryStore {
  const { dataDir, config, forward = {}, sourceMaps = null } = options;
  const { log = (line: string) => console.error(line) } = options;
  return openTelemetryStore({
    file: join(dataDir, "telemetry.sqlite"),
    formerFeedback: join(dataDir, "feedback.ndjson"),
    retention: { retentionDays: config.retentionDays, maxBytes: config.maxBytes },
    forward,
    sourceMaps,
    root: options.root ?? process.cwd(),
    limits,
    log,
  });
}

interface HealthOptions {
  store: TelemetryStore;
  intake: Pick<Intake, "health">;
  config: TelemetryConfig;
  startedAt: number;
}

function createHealth({ store, intake, config, startedAt }: HealthOptions): Telemetry["health"] {
  const { maxBytes, retentionDays } = config;
  const empty = {
    database: { bytes: 0, maxBytes, retentionDays, oldestAt: null, kinds: [] },
    forwarding: [],
  };
  return async () => {
    const stored = await store.ask("health", {}).catch(() => empty);
    return { startedAt, ...intake.health(), ...store.status(), ...stored };
  };
}
