/** The one thread that has the database: rows in, answers out, retention and forwarding in between. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { createJob } from "#platform/jobs/job.ts";
import type { ForwardConfig } from "../config.ts";
import { createErrorMapper } from "../errors/map-error.ts";
import { createForwarder } from "../forward/forwarder.ts";
import { parseSnapshots } from "../ingest/posthog/parse-snapshots.ts";
import type { TelemetryLimits } from "../limits.ts";
import { copiesFor } from "../forward/copies.ts";
import { importFeedback } from "./import-feedback.ts";
import { type RequestContext, type RequestName, requests } from "./requests.ts";
import type { Retention } from "./retention.ts";
import { createStoreService, type WriteRequest } from "./store-service.ts";

export interface StoreThreadOptions {
  file: string;
  retention: Retention;
  forward: ForwardConfig;
  /** The folder with the client's source maps; null: frames stay as they were sent. */
  sourceMaps: string | null;
  /** The repository's folder, from which the server's own frames are named. */
  root: string;
  /** The former store of readers' answers, read once; null: there is none. */
  formerFeedback: string | null;
  limits: TelemetryLimits;
}

export type StoreMessage =
  | { kind: "write"; id: number; request: WriteRequest }
  | { kind: "snapshots"; id: number; body: Uint8Array; at: number }
  | { kind: "ask"; id: number; name: RequestName; params: unknown }
  | { kind: "close"; id: number };

export type StoreAnswer =
  | { kind: "done"; id: number; result: unknown }
  | { kind: "failed"; id: number; message: string }
  | { kind: "log"; line: string };

/** How often old rows are looked for. */
const TIDY_MS = 60_000;

if (parentPort) run(parentPort, workerData as StoreThreadOptions);

function run(port: NonNullable<typeof parentPort>, options: StoreThreadOptions): void {
  const send = (answer: StoreAnswer) => port.postMessage(answer);
  const log = (line: string) => send({ kind: "log", line });
  const service = createStoreService({
    file: options.file,
    retention: options.retention,
    toOutbox: copiesFor(options.forward),
    toErrorRow: createErrorMapper({ sourceMaps: options.sourceMaps, root: options.root }),
    log,
  });
  const forwarder = createForwarder({
    services: options.forward,
    read: service.read,
    maxBytes: options.limits.outboxBytes,
    log,
  });
  if (options.formerFeedback) importFeedback(options.formerFeedback, service.write, log);

  const tidying = createJob({
    name: "deleting of old rows",
    async run(signal) {
      // Other messages come between two steps.
      while (!signal.aborted && service.tidy()) await nextTurn();
      return { againMs: TIDY_MS };
    },
    retry: { againMs: TIDY_MS },
    jitter: 0.1,
    onError: (error, name) => log(`Telemetry: the ${name} failed: ${String(error)}`),
  });
  tidying.wake();
  forwarder.start();

  /** One recording at a time, so that the memory holds one; rows and questions come in between. */
  let last: Promise<unknown> = Promise.resolve();
  function inOrder<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  }

  async function handle(message: StoreMessage): Promise<unknown> {
    switch (message.kind) {
      case "write": {
        const outcome = service.write(message.request);
        forwarder.wake();
        return outcome;
      }
      case "snapshots": {
        const parsed = await inOrder(() => parseSnapshots(message.body, message.at, options.limits));
        if ("refused" in parsed) return parsed;
        const outcome = service.write({ snapshots: parsed.rows });
        forwarder.wake();
        return { ...outcome, accepted: parsed.rows.length };
      }
      case "ask": {
        const answer = requests[message.name] as (db: unknown, params: unknown, context: unknown) => unknown;
        const context: RequestContext = {
          retention: options.retention,
          forwarding: forwarder.status,
          forget: service.forget,
        };
        return service.read((db) => answer(db, message.params, context));
      }
      case "close":
        await Promise.all([forwarder.stop(), tidying.stop()]);
        service.close();
        return null;
    }
  }

  port.on("message", (message: StoreMessage) => {
    handle(message).then(
      (result) => send({ kind: "done", id: message.id, result }),
      (error: unknown) =>
        send({
          kind: "failed",
          id: message.id,
          message: error instanceof Error ? error.message : String(error),
        }),
    );
  });
}
