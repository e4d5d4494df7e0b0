/** The operator's view of the running server: request ids, access log, metrics, and whether it is alive and ready. */
import { Hono } from "hono";
import type { Environment } from "../environment.ts";
import { createAccessLog } from "#platform/http/access-log.ts";
import type { AddressOf } from "#platform/http/addresses/client-address.ts";
import type { ConnectionGuard } from "#platform/http/connections/connections.ts";
import { healthRoutes } from "#platform/http/health-routes.ts";
import { assignRequestId } from "#platform/http/request-id.ts";
import { type AnswerListener, watchAnswers } from "#platform/http/connections/watch-answers.ts";
import type { Log } from "#platform/log/log.ts";
import { workGate } from "#platform/fair/work-gate.ts";
import type { Room } from "#platform/house/room.ts";
import { createMetrics, type Metrics } from "#platform/metrics/metrics.ts";
import { metricsRoutes } from "#platform/metrics/metrics-routes.ts";
import type { Observation } from "../app.ts";
import { maskPath } from "./mask-path.ts";

export interface ObserveOptions {
  env: Pick<Environment, "ACCESS_LOG" | "METRICS_TOKEN" | "TRUSTED_PROXIES">;
  log: Log;
  addressOf: AddressOf;
  connections: Pick<ConnectionGuard, "isDraining" | "size" | "unsentBytes">;
  /** Parts of the service, for their status and metrics. */
  rooms: readonly Pick<Room, "name" | "isReady" | "lack" | "registerMetrics">[];
}

/** Mounts that people read: the page that they read stays private (decision 011). */
const READER_MOUNTS = ["site"];

export function observe({ env, log, addressOf, connections, rooms }: ObserveOptions): Observation & {
  listeners: readonly AnswerListener[];
} {
  const metrics = createMetrics();
  metrics.gauge("connections", "Open connections.", () => connections.size);
  metrics.gauge(
    "unsent_answer_bytes",
    "Bytes of responses that are waiting for their readers.",
    () => connections.unsentBytes,
  );
  registerTurns(metrics);
  for (const room of rooms) room.registerMetrics(metrics);
  const accessLog = createAccessLog({
    log,
    mode: env.ACCESS_LOG,
    readerMounts: READER_MOUNTS,
    maskPath,
  });
  const operatorApp = new Hono();
  const parts = Object.fromEntries(rooms.map(({ name, isReady }) => [name, isReady]));
  const lacks = Object.fromEntries(rooms.map(({ name, lack }) => [name, lack]));
  operatorApp.route("/", healthRoutes({ parts, lacks, isDraining: () => connections.isDraining }));
  const token = env.METRICS_TOKEN === undefined ? {} : { token: env.METRICS_TOKEN };
  operatorApp.route("/", metricsRoutes({ metrics, ...token }));
  const listeners = [accessLog, metrics.countRequest];
  return {
    log,
    operatorApp,
    listeners,
    before: (partOf) => [
      assignRequestId({ trustedProxies: env.TRUSTED_PROXIES }),
      watchAnswers({ mountOf: partOf, listeners, addressOf }),
    ],
  };
}

/** For all organizations together: which of them wait is private. */
function registerTurns(metrics: Metrics): void {
  metrics.gauge(
    "waiting_turns",
    "Requests and parts of bodies that are waiting for the turn of their organization, or of clients without one.",
    () => workGate.waiting,
  );
  metrics.total({
    name: "turns_total",
    help: "Requests and parts of bodies that waited for their organization's turn, milliseconds that they waited, refused requests, and milliseconds of the event loop charged while several organizations were active.",
    label: "what",
    read() {
      const { waits, waitedMs, refused, sharedMs } = workGate.totals;
      return [
        ["waits", waits],
        ["waited_milliseconds", waitedMs],
        ["refused", refused],
        ["shared_milliseconds", sharedMs],
      ];
    },
  });
}
