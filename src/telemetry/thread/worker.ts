/** The one thread that has the database: rows in, answers out, retention and forwarding in between. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createErrorMapper } from "../errors/map-error.ts";
import { copiesFor } from "../forward/copies.ts";
import { createForwarder, type Forwarder } from "../forward/forwarder.ts";
import { parseSnapshots } from "../parse/parse-snapshots.ts";
import { importFeedback } from "./import-feedback.ts";
import type { StoreAnswer, StoreMessage, StoreThreadOptions } from "./messages.ts";
import { type RequestContext, requests } from "./requests.ts";
import { createStoreService, type StoreService } from "./store-service.ts";

/** How often old rows are looked for. */
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
  tidyRegularly(service);
  forwarder.start();
  const handle = createHandler(service, forwarder, options);
  port.on("message", (message: StoreMessage) => {
    const { id } = message;
    handle(message).then(
      (result) => send({ kind: "done", id, result }),
      (error: unknown) =>
        send({ kind: "failed", id, message: error instanceof Error ? error.message : String(error) }),
    );
  });
}

function tidyRegularly(service: StoreService): void {
  const tidy = () => {
    // Other messages are handled between two steps.
    if (service.tidy()) setImmediate(tidy);
  };
  tidy();
  setInterval(tidy, TIDY_MS).unref();
}

function createHandler(service: StoreService, forwarder: Forwarder, options: StoreThreadOptions) {
  const { retention, limits } = options;
  const context: RequestContext = { retention, forwarding: forwarder.status, forget: service.forget };
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
        return { ...outcome, accepted: parsed.rows.length };
      }
      case "ask": {
        // The name decides what the parameters are; `TelemetryStore.ask` checks that they fit.
        const answer = requests[message.name] as (db: unknown, params: unknown, context: unknown) => unknown;
        return service.read((db) => answer(db, message.params, context));
      }
      case "close":
        await forwarder.stop();
        service.close();
        return null;
    }
  };
}

/** One task at a time, so that memory holds one recording. Rows and questions are handled in between. */
function createOrder() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}
