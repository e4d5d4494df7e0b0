/**
 * The server's figures, for Prometheus. Rooms register their own; names and labels are few and never a
 * client's input.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** For rooms, to register their figures. */
export interface Metrics {
  /** A figure that is read when it is requested. */
  gauge: (name: string, help: string, read: () => number) => void;
  /** The same, asynchronous, with one figure per label value. */
  figures: (options: FiguresOptions) => void;
  /** A sum that only grows, kept elsewhere and read on request; one sum per label value. */
  total: (options: TotalOptions) => void;
  /** Counts requests; call it once for each answer. */
  countRequest: (request: CountedRequest) => void;
  /** The figures in Prometheus' text format, and its content type. */
  expose: () => Promise<{ text: string; contentType: string }>;
}

export interface TotalOptions {
  name: string;
  help: string;
  /** One label, or several that together identify a sum. */
  label: string | readonly string[];
  /** Label value → sum. The server chooses the values, so their number is bounded. */
  read: () => Iterable<readonly [value: string | readonly string[], sum: number]>;
}

export interface FiguresOptions {
  name: string;
  help: string;
  label: string;
  /** If it throws, the figures stay as they were. */
  read: () => Promise<Iterable<readonly [value: string, figure: number]>>;
}

export interface CountedRequest {
  method: string;
  mount: string;
  status: number;
  /** `1.1`, `2.0` */
  protocol: string | null;
  ms: number;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** From a page in memory to a search that uses up its time limit. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Most values of a label; others are summed up as `other`. */
const MAX_LABEL_VALUES = 100;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
    },
    figures({ name, help, label, read }) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          const figures = await read().catch(() => null);
          if (!figures) return;
          gauge.reset();
          for (const [value, figure] of bounded(figures)) gauge.set({ [label]: value }, figure);
        },
      });
    },
    total({ name, help, label, read }) {
      const labels = [label].flat();
      // This library's counters cannot be set to a sum.
      const sum: Counter = new Counter({
        name,
        help,
        labelNames: labels,
        registers: [registry],
        collect() {
          sum.reset();
          for (const [values, amount] of bounded(joined(read())))
            sum.inc(
              Object.fromEntries(values.split(SEPARATOR).map((value, at) => [labels[at]!, value])),
              amount,
            );
        },
      });
    },
    countRequest: createRequestCounter(registry),
    expose: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}

/** Separates values of several labels. */
const SEPARATOR = "\0";

function* joined(read: ReturnType<TotalOptions["read"]>): Generator<readonly [string, number]> {
  for (const [value, sum] of read) yield [[value].flat().join(SEPARATOR), sum];
}

function bounded(read: Iterable<readonly [string, number]>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [value, amount] of read) {
    const name = sums.has(value) || sums.size < MAX_LABEL_VALUES ? value : "other";
    sums.set(name, (sums.get(name) ?? 0) + amount);
  }
  return sums;
}

/** Looks up a series by its labels only once: that costs more than counting. */
function createRequestCounter(registry: Registry): Metrics["countRequest"] {
  const registers = [registry];
  const total = new Counter({
    name: "http_requests_total",
    help: "Requests that were answered or cut off.",
    labelNames: ["mount", "method", "status", "protocol"],
    registers,
  });
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's head to the last byte of its response.",
    labelNames: ["mount"],
    buckets: SECONDS,
    registers,
  });
  const counters = new Map<string, Counter.Internal>();
  const durations = new Map<string, Histogram.Internal<string>>();
  return ({ method, mount, status, protocol, ms }) => {
    const known = METHODS.has(method) ? method : "other";
    const key = `${mount} ${known} ${status} ${protocol}`;
    let counter = counters.get(key);
    if (!counter) {
      counter = total.labels({ mount, method: known, status: String(status), protocol: protocol ?? "none" });
      counters.set(key, counter);
    }
    counter.inc();
    let histogram = durations.get(mount);
    if (!histogram) durations.set(mount, (histogram = duration.labels({ mount })));
    histogram.observe(ms / 1000);
  };
}
