/**
 * Sends the copies in the table `outbox` to the services: for each service one request at a time, in order.
 *
 *     2xx                      the rows are deleted
 *     400, 413, 422, …         one of the rows is at fault: they are sent one by one, and only the refused row is dropped
 *     401, 403, 404, 429, 5xx, no answer, time-out
 *                              nothing is deleted; tried again after a pause that doubles (with jitter), or after
 *                              Retry-After
 *
 * Rows are deleted only once the service has answered. After a restart, copies that may not have arrived are therefore sent
 * again; the services know each event by its id and accept it once.
 */
import { createJob, type JobPause } from "#platform/jobs/job.ts";
import type { ForwardConfig } from "../contract/config.ts";
import type { ForwardingStatus } from "../contract/types.ts";
import { openOutbox, type Outbox, type ReadDatabase } from "./outbox.ts";
import { SEND_TIMEOUT_MS, sendCopies, type SendOutcome } from "./send-copies.ts";
import { type Service, servicesOf, type WaitingRow } from "./services.ts";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10 * 60_000;

export interface ForwarderOptions {
  services: ForwardConfig;
  read: ReadDatabase;
  /** Bytes that may wait for one service; the oldest copies make room. */
  maxBytes: number;
  log: (line: string) => void;
  fetch?: typeof fetch;
  clock?: () => number;
  /** 0 to 1. */
  random?: () => number;
  timeoutMs?: number;
  pauseMs?: number;
}

export interface Forwarder {
  start: () => void;
  /** Announces possible new copies. */
  wake: () => void;
  status: () => ForwardingStatus[];
  /** Ends the running requests; their copies are sent again after the next start. */
  stop: () => Promise<void>;
}

export function createForwarder(options: ForwarderOptions): Forwarder {
  const lines = servicesOf(options.services).map((service) => createLine(service, options));
  const wake = () => lines.forEach((line) => line.wake());
  return {
    start: wake,
    wake,
    status: () => lines.map((line) => line.status()),
    stop: async () => void (await Promise.all(lines.map((line) => line.stop()))),
  };
}

/** One service's queue of copies. */
function createLine(service: Service, options: ForwarderOptions) {
  const { clock = Date.now, timeoutMs = SEND_TIMEOUT_MS } = options;
  const outbox = openOutbox(service.name, options.read, options.maxBytes);
  const pace = createPace(service, outbox, options);

  const job = createJob({
    name: `forwarding to ${service.name}`,
    run,
    // The database is not open, which its thread reports.
    retry: { againMs: LONGEST_PAUSE_MS / 10 },
    onError: (error) => pace.noteError(error instanceof Error ? error.message : String(error)),
  });

  async function run(ending: AbortSignal): Promise<JobPause> {
    pace.noteDropped(outbox.makeRoom());
    for (let rows = outbox.next(); rows.length > 0 && !ending.aborted; rows = outbox.next()) {
      const againMs = await sendSome(rows, ending);
      if (againMs !== null) return { againMs };
    }
    return undefined;
  }

  /** @returns how long to wait before the next request; null: send it immediately */
  async function sendSome(rows: WaitingRow[], ending: AbortSignal): Promise<number | null> {
    const request = service.request(pace.isSingle() ? rows.slice(0, 1) : rows, clock());
    const sending = { fetch: options.fetch ?? fetch, timeoutMs, clock, signal: ending };
    const outcome = await sendCopies(request, sending);
    if (ending.aborted && outcome.kind !== "sent") return null;
    return pace.settle(outcome, rows.slice(0, request.rows));
  }

  return {
    wake: job.wake,
    status: (): ForwardingStatus => ({ service: service.name, waiting: outbox.count(), ...pace.counters() }),
    stop: job.stop,
  };
}

/** The consequences of each answer: which rows are done, how many go next, how long to wait. */
function createPace(service: Service, outbox: Outbox, options: ForwarderOptions) {
  const { log, random = Math.random, pauseMs = FIRST_PAUSE_MS } = options;
  const counters = { sent: 0, failed: 0, lastError: null as string | null };
  let failures = 0;
  /** After a refusal, this many rows are sent one by one, so that the faulty row costs the others nothing. */
  let singles = 0;

  function settleSent(rows: readonly WaitingRow[]): null {
    outbox.remove(rows);
    counters.sent += rows.length;
    counters.lastError = null;
    singles = Math.max(0, singles - 1);
    if (failures > 0) log(`Telemetry: ${service.name} accepts copies again.`);
    failures = 0;
    return null;
  }

  function settleRefused(reason: string, rows: readonly WaitingRow[]): null {
    counters.lastError = reason;
    if (rows.length > 1) {
      singles = rows.length;
      return null;
    }
    outbox.remove(rows);
    counters.failed += 1;
    singles = Math.max(0, singles - 1);
    if (counters.failed === 1) log(`Telemetry: ${service.name} rejected a copy, which is dropped: ${reason}`);
    return null;
  }

  function settleLater(reason: string, afterMs: number | null): number {
    counters.lastError = reason;
    if (failures === 0)
      log(`Telemetry: ${service.name} accepts no copies (${reason}); they are kept and sent again later.`);
    failures += 1;
    return afterMs ?? Math.min(pauseMs * 2 ** (failures - 1), LONGEST_PAUSE_MS) * (0.5 + random() / 2);
  }

  return {
    isSingle: () => singles > 0,
    /** @param rows those of the request @returns how long to wait before the next request; null: not at all */
    settle(outcome: SendOutcome, rows: readonly WaitingRow[]): number | null {
      if (outcome.kind === "sent") return settleSent(rows);
      if (outcome.kind === "refused") return settleRefused(outcome.reason, rows);
      return settleLater(outcome.reason, outcome.afterMs);
    },
    noteDropped(copies: number): void {
      counters.failed += copies;
      if (copies > 0)
        log(`Telemetry: ${copies} copies for ${service.name} were dropped: too many are waiting.`);
    },
    noteError: (message: string) => void (counters.lastError = message),
    counters: () => ({ ...counters }),
  };
}
