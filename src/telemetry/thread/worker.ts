/** The only thread that owns the database: rows in, answers out, retention and forwarding in between. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createJob, type Job } from "#platform/jobs/job.ts";
import { sizeOfAll } from "../contract/budgets.ts";
import { createErrorMapper } from "../errors/map-error.ts";
import { copiesFor } from "../forward/copies.ts";
import { createForwarder, type Forwarder } from "../forward/forwarder.ts";
import { parseSnapshots } from "../parse/parse-snapshots.ts";
import { importFeedback } from "./import-feedback.ts";
import type { StoreAnswer, StoreMessage, StoreThreadOptions } from "./messages.ts";
import { type RequestContext, requests } from "./requests.ts";
import { createStoreService, type StoreService } from "./store-service.ts";

/** How often the thread looks for old rows. */
const TIDY_MS = 60_000;

if (parentPort) run(parentPort, workerData as StoreThreadOptions);

function run(port: MessagePort, options: StoreThreadOptions): void {
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
  const tidying = tidyRegularly(service, log);
  forwarder.start();
  const stop = () => Promise.all([forwarder.stop(), tidying.stop()]);
  const handle = createHandler(service, forwarder, { ...options, stop });
  port.on("message", (message: StoreMessage) => {
    const { id } = message;
    handle(message).then(
      (result) => send({ kind: "done", id, result }),
      (error: unknown) =>
        send({ kind: "failed", id, message: error instanceof Error ? error.message : String(error) }),
    );
  });
}

function tidyRegularly(service: StoreService, log: (line: string) => void): Job {
  const tidying = createJob({
    name: "deleting of old rows",
    async run(signal) {
      // Other messages are handled between two steps.
      while (!signal.aborted && service.tidy()) await nextTurn();
      return { againMs: TIDY_MS };
    },
    retry: { againMs: TIDY_MS },
    jitter: 0.1,
    onError: (error, name) => log(`Telemetry: the ${name} failed: ${String(error)}`),
  });
  tidying.wake();
  return tidying;
}

interface HandlerOptions extends StoreThreadOptions {
  /** Stops the background work. */
  stop: () => Promise<unknown>;
}

function createHandler(service: StoreService, forwarder: Forwarder, options: HandlerOptions) {
  const { retention, limits } = options;
  const context: RequestContext = {
    retention,
    forwarding: forwarder.status,
    forget: service.forget,
    evicted: service.evicted,
  };
  const inOrder = createOrder();

  return async (message: StoreMessage): Promise<unknown> => {
    switch (message.kind) {
      case "write": {
        const outcome = service.write(message.request);
        forwarder.wake();
        return outcome;
      }
      case "snapshots": {
        const parsed = await inOrder(() => parseSnapshots(message.body, message.at, limits));
        if ("refused" in parsed) return parsed;
        const outcome = service.write({ snapshots: parsed.rows });
        forwarder.wake();
        return { ...outcome, accepted: parsed.rows.length, bytes: sizeOfAll(parsed.rows) };
      }
      case "ask": {
        // The name determines the parameters; `TelemetryStore.ask` checks that they fit.
        const answer = requests[message.name] as (db: unknown, params: unknown, context: unknown) => unknown;
        return service.read((db) => answer(db, message.params, context));
      }
      case "close":
        await options.stop();
        service.close();
        return null;
    }
  };
}

/** One task at a time, so that memory holds only one recording. Rows and requests are handled in between. */
function createOrder() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}
