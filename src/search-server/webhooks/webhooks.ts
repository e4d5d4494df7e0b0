/**
 * The server's webhooks. Every batch of finished tasks is sent to each of them, as lines of JSON; a webhook gets one call after
 * another, in the order of the batches. Calls that wait are in memory: those that a stop interrupts are not made again, and
 * `GET /tasks` has what they would have said.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Task } from "../catalog/task.ts";
import { ApiError } from "../protocol/errors.ts";
import { MAX_WEBHOOKS, WEBHOOK_MS, WEBHOOK_PAUSES_MS } from "../protocol/limits.ts";
import { CallError, type Reach, sendCall } from "./send-call.ts";
import { changeHeaders, readWebhookUrl, type Webhook } from "./webhook.ts";
import type { WebhookFile } from "./webhook-file.ts";
import { createQueues, WebhookError } from "./webhook-queues.ts";

export interface WebhookChanges {
  url?: string;
  headers?: { [name: string]: string | null };
}

export interface Webhooks {
  list: () => Webhook[];
  /** @throws ApiError */
  get: (uuid: string) => Webhook;
  /** Each of these is stored when it resolves. @throws ApiError */
  create: (changes: WebhookChanges & { url: string }) => Promise<Webhook>;
  change: (uuid: string, changes: WebhookChanges) => Promise<Webhook>;
  remove: (uuid: string) => Promise<void>;
  /** Sends finished tasks, later. */
  notify: (tasks: readonly Task[]) => void;
  close: () => void;
}

export interface WebhookOptions extends Reach {
  first?: readonly Webhook[];
  /** Absent: they end with the process. */
  write?: WebhookFile["write"];
  pauses?: readonly number[];
  onError: (error: unknown) => void;
}

const compress = promisify(gzip);

export function createWebhooks(options: WebhookOptions): Webhooks {
  const { listed, write = async () => {} } = options;
  const calls = createCalls(options);
  let webhooks = new Map((options.first ?? []).map((one) => [one.uuid, one]));
  let writing: Promise<unknown> = Promise.resolve();

  function required(uuid: string, all: ReadonlyMap<string, Webhook> = webhooks): Webhook {
    const webhook = all.get(uuid);
    if (webhook) return webhook;
    throw new ApiError("webhook_not_found", `Webhook \`${uuid.slice(0, 100)}\` not found.`);
  }

  /** One change after another, each on disk before it is visible. */
  function changeAll<T>(apply: (next: Map<string, Webhook>) => T): Promise<T> {
    const done = writing.then(async () => {
      const next = new Map(webhooks);
      const result = apply(next);
      await write([...next.values()]);
      webhooks = next;
      return result;
    });
    writing = done.catch(() => {});
    return done;
  }

  function put(next: Map<string, Webhook>, webhook: Webhook): Webhook {
    next.set(webhook.uuid, webhook);
    return webhook;
  }

  return {
    list: () => [...webhooks.values()],
    get: (uuid) => required(uuid),
    create: ({ url, headers = {} }) =>
      changeAll((next) => {
        if (next.size >= MAX_WEBHOOKS)
          throw new ApiError(
            "reached_webhook_limit",
            `There are ${next.size} webhooks, the maximum for this server.`,
          );
        const uuid = crypto.randomUUID();
        readWebhookUrl(url, listed);
        return put(next, { uuid, url, headers: changeHeaders({}, headers) });
      }),
    change: (uuid, { url, headers = {} }) =>
      changeAll((next) => {
        const before = required(uuid, next);
        if (url !== undefined) readWebhookUrl(url, listed);
        return put(next, { uuid, url: url ?? before.url, headers: changeHeaders(before.headers, headers) });
      }),
    remove: (uuid) => changeAll((next) => void next.delete(required(uuid, next).uuid)),
    notify(tasks) {
      if (webhooks.size > 0 && tasks.length > 0)
        calls.add(tasks, [...webhooks.keys()], (uuid) => webhooks.get(uuid));
    },
    close: calls.close,
  };
}

/** The calls that wait, one after another for each webhook. */
function createCalls({ listed, resolve, pauses = WEBHOOK_PAUSES_MS, onError }: WebhookOptions) {
  const closing = new AbortController();
  const queues = createQueues(onError);

  async function call(
    uuid: string,
    body: Uint8Array,
    find: (uuid: string) => Webhook | undefined,
  ): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const webhook = find(uuid);
      if (!webhook || closing.signal.aborted) return;
      try {
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(WEBHOOK_MS)]);
        return await sendCall(webhook, body, { listed, resolve, signal });
      } catch (error) {
        if (closing.signal.aborted) return;
        const pause = pauses[attempt];
        if (pause === undefined) {
          const why = error instanceof CallError ? error.message : "an internal error";
          return onError(
            new WebhookError(`The webhook ${uuid} was not called: ${why}, ${attempt + 1} times.`),
          );
        }
        await wait(pause, closing.signal);
      }
    }
  }

  return {
    add(tasks: readonly Task[], uuids: readonly string[], find: (uuid: string) => Webhook | undefined) {
      const lines = tasks.map((task) => `${JSON.stringify(task)}\n`).join("");
      const bytes = Buffer.byteLength(lines);
      const ready = queues.choose(uuids, { bytes, count: tasks.length });
      if (ready.length === 0) return;
      const body = compress(lines);
      for (const uuid of ready) queues.add(uuid, bytes, async () => call(uuid, await body, find));
    },
    close: () => closing.abort(),
  };
}

/** Does not keep the process alive. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    timer.unref();
    signal.addEventListener("abort", () => done(clearTimeout(timer)), { once: true });
  });
}
