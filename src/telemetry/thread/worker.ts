/** The one thread that has the database: rows in, answers out, retention and forwarding in between. */
import { parentPort, workerData } from "node:worker_threads";
import { createErrorMapper } from "../errors/map-error.ts";
import { createForwarder } from "../forward/forwarder.ts";
import { parseSnapshots } from "../parse/parse-snapshots.ts";
import { copiesFor } from "../forward/copies.ts";
import { importFeedback } from "./import-feedback.ts";
import type { StoreAnswer, StoreMessage, StoreThreadOptions } from "./messages.ts";
import { type RequestContext, requests } from "./requests.ts";
import { createStoreService } from "./store-service.ts";

/** How often old rows are looked for. */
const tidyMilliseconds = 60_000;

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

  const tidy = () => {
    // Other messages come between two steps.
    if (service.tidy()) setImmediate(tidy);
  };
  tidy();
  setInterval(tidy, tidyMilliseconds).unref();
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
        await forwarder.stop();
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
