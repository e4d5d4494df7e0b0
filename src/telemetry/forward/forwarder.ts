/**
 * Sends what waits in the table `outbox` to the services, one request at a time for each, in order.
 *
 *     2xx                      the rows are deleted
 *     400, 413, 422, …         one of the rows is at fault: sent singly, and dropped when it is refused alone
 *     401, 403, 404, 429, 5xx, no answer, time-out
 *                              nothing is deleted; again after a pause that doubles (with jitter), or after Retry-After
 *
 * Rows are deleted only after the service has answered, so that a restart sends again what may not have arrived; the
 * services know each event by its id and take it once.
 */
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createJob, type JobPause } from "#platform/jobs/job.ts";
import type { ForwardConfig } from "../config.ts";
import type { IngestHealth } from "../queries/report-types.ts";
import { inTransaction } from "#platform/database/open-sqlite.ts";
import { type Service, type ServiceRequest, servicesOf, type WaitingRow } from "./services.ts";

const compress = promisify(gzip);

const rowsPerRead = 100;
const bytesPerRead = 4_000_000;
const timeoutMilliseconds = 10_000;
const firstPause = 1000;
const longestPause = 10 * 60_000;
/** A service may ask for a longer pause than ours, within reason. */
const longestRetryAfter = 60 * 60_000;
/** What a wrong key, a wrong address or a full quota answers: an operator can mend it, so nothing is lost meanwhile. */
const mendable = new Set([401, 402, 403, 404, 408, 425, 429]);

export interface ForwarderOptions {
  services: ForwardConfig;
  /** Runs on the database; may throw when there is none at the moment. */
  read: <Result>(run: (db: DatabaseSync) => Result) => Result;
  /** Bytes that may wait for one service; the oldest make room. */
  maxBytes: number;
  log: (line: string) => void;
  fetch?: typeof fetch;
  clock?: () => number;
  /** 0 to 1. */
  random?: () => number;
  timeout?: number;
  pause?: number;
}

export interface Forwarder {
  start: () => void;
  /** There may be something new. */
  wake: () => void;
  status: () => IngestHealth["forwarding"];
  /** Ends the requests that run; what they carried is sent again after the next start. */
  stop: () => Promise<void>;
}

export function createForwarder(options: ForwarderOptions): Forwarder {
  const lines = servicesOf(options.services).map((service) => createLine(service, options));
  return {
    start: () => lines.forEach((line) => line.wake()),
    wake: () => lines.forEach((line) => line.wake()),
    status: () => lines.map((line) => line.status()),
    stop: async () => void (await Promise.all(lines.map((line) => line.stop()))),
  };
}

type Outcome =
  | { kind: "sent" }
  | { kind: "refused"; reason: string }
  | { kind: "later"; reason: string; after: number | null };

/** One service's queue. */
function createLine(service: Service, options: ForwarderOptions) {
  const { read, log, clock = Date.now, random = Math.random, pause = firstPause } = options;
  const counters = { sent: 0, failed: 0, lastError: null as string | null };
  let failures = 0;
  /** After a refusal the rows go singly, so that one at fault costs the others nothing. */
  let singly = 0;

  const job = createJob({
    name: `forwarding to ${service.name}`,
    run,
    // The database is away: its thread says so.
    retry: { againMs: longestPause / 10 },
    onError: (error) => (counters.lastError = error instanceof Error ? error.message : String(error)),
  });

  async function run(ending: AbortSignal): Promise<JobPause> {
    makeRoom();
    for (let rows = waiting(); rows.length > 0 && !ending.aborted; rows = waiting()) {
      const againMs = await sendSome(rows, ending);
      if (againMs !== null) return { againMs };
    }
    return undefined;
  }

  /** @returns milliseconds to wait, null to go on at once. */
  async function sendSome(rows: WaitingRow[], ending: AbortSignal): Promise<number | null> {
    const request = service.request(singly > 0 ? rows.slice(0, 1) : rows, clock());
    const outcome = await send(request, ending);
    if (ending.aborted && outcome.kind !== "sent") return null;
    if (outcome.kind === "sent") {
      remove(rows.slice(0, request.rows));
      counters.sent += request.rows;
      singly = Math.max(0, singly - 1);
      if (failures > 0) log(`Telemetry: ${service.name} takes copies again.`);
      failures = 0;
      counters.lastError = null;
      return null;
    }
    counters.lastError = outcome.reason;
    if (outcome.kind === "refused") {
      if (request.rows > 1) {
        singly = request.rows;
        return null;
      }
      remove(rows.slice(0, 1));
      counters.failed += 1;
      singly = Math.max(0, singly - 1);
      if (counters.failed === 1)
        log(`Telemetry: ${service.name} refused a copy, which is dropped: ${outcome.reason}`);
      return null;
    }
    if (failures === 0)
      log(`Telemetry: ${service.name} takes no copies (${outcome.reason}); they wait and are sent again.`);
    failures += 1;
    const backOff = Math.min(pause * 2 ** (failures - 1), longestPause) * (0.5 + random() / 2);
    return outcome.after ?? backOff;
  }

  async function send(
    { url, headers, body: text, isCompressed }: ServiceRequest,
    ending: AbortSignal,
  ): Promise<Outcome> {
    try {
      // Off this thread, which has rows to write.
      const body = isCompressed ? await compress(text) : text;
      const signal = AbortSignal.any([ending, AbortSignal.timeout(options.timeout ?? timeoutMilliseconds)]);
      const answer = await (options.fetch ?? fetch)(url, {
        method: "POST",
        headers,
        body,
        signal,
        redirect: "error",
      });
      const reason = `${answer.status} from ${new URL(url).host}`;
      // The body is read to its end, or the connection cannot be used again; what it says is not needed.
      await answer.arrayBuffer().catch(() => {});
      if (answer.ok) return { kind: "sent" };
      if (answer.status < 500 && answer.status >= 400 && !mendable.has(answer.status))
        return { kind: "refused", reason };
      return { kind: "later", reason, after: retryAfter(answer.headers.get("retry-after"), clock()) };
    } catch (error) {
      return { kind: "later", reason: describe(error, url), after: null };
    }
  }

  function waiting(): WaitingRow[] {
    return read((db) => {
      const rows: WaitingRow[] = [];
      let bytes = 0;
      const statement = db.prepare("SELECT id, kind, body FROM outbox WHERE service = ? ORDER BY id LIMIT ?");
      for (const row of statement.iterate(service.name, rowsPerRead) as Iterable<unknown>) {
        const { id, kind, body } = row as WaitingRow; // the columns of the statement
        bytes += body.byteLength;
        if (rows.length > 0 && bytes > bytesPerRead) break;
        rows.push({ id, kind, body });
      }
      return rows;
    });
  }

  function remove(rows: readonly WaitingRow[]): void {
    read((db) => {
      const statement = db.prepare("DELETE FROM outbox WHERE id = ?");
      inTransaction(db, () => rows.forEach(({ id }) => statement.run(id)));
    });
  }

  /** A service that is away for weeks must not fill the disk: the oldest copies are dropped, and counted. */
  function makeRoom(): void {
    const dropped = read((db) => {
      const sum = db.prepare("SELECT coalesce(sum(length(body)), 0) AS bytes FROM outbox WHERE service = ?");
      let bytes = Number(sum.get(service.name)?.["bytes"] ?? 0);
      if (bytes <= options.maxBytes) return 0;
      const oldest = db.prepare("SELECT id, length(body) AS bytes FROM outbox WHERE service = ? ORDER BY id");
      const ids: number[] = [];
      for (const row of oldest.iterate(service.name)) {
        if (bytes <= options.maxBytes * 0.9) break;
        bytes -= Number(row["bytes"]);
        ids.push(Number(row["id"]));
      }
      db.prepare("DELETE FROM outbox WHERE service = ? AND id <= ?").run(service.name, ids.at(-1) ?? 0);
      return ids.length;
    });
    counters.failed += dropped;
    if (dropped > 0) log(`Telemetry: ${dropped} copies for ${service.name} were dropped: too many wait.`);
  }

  return {
    wake: job.wake,
    status(): IngestHealth["forwarding"][number] {
      const count = read((db) =>
        db.prepare("SELECT count(*) AS count FROM outbox WHERE service = ?").get(service.name),
      );
      return { service: service.name, waiting: Number(count?.["count"] ?? 0), ...counters };
    },
    stop: job.stop,
  };
}

/** Seconds or a date. @returns milliseconds from now, null when it says nothing. */
export function retryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  if (!Number.isFinite(milliseconds)) return null;
  return Math.min(Math.max(milliseconds, 0), longestRetryAfter);
}

function describe(error: unknown, url: string): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `${new URL(url).host} did not answer in time`;
  const cause = error instanceof Error ? error.cause : undefined;
  return `${new URL(url).host}: ${cause instanceof Error ? cause.message : String(error)}`;
}
