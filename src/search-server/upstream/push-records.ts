/**
 * Brings records to a Meilisearch server without ever showing half an index: a new index is filled next to
 * the one being searched, the two are swapped, and the old one is deleted.
 */
import * as z from "zod";
import type { IndexSettings, SearchDocument } from "#search/index.ts";
import { toSettingsJson } from "../settings/json.ts";
import { addressOf } from "./upstream.ts";

export interface PushOptions {
  url: string;
  /** A key that may change indexes, documents, settings and tasks. */
  key: string;
  indexUid: string;
  settings: IndexSettings;
  documents: readonly SearchDocument[];
  /** Distinguishes this upload's temporary index: a build id, letters and digits. */
  version: string;
  /** Bytes of JSON in one upload. Default 8 MiB. */
  batchBytes?: number;
  /** Milliseconds for the whole push. Default 5 minutes. */
  timeoutMs?: number;
  /** Milliseconds for one answer: the site's start waits for it. Default 10 seconds. */
  answerMs?: number;
  /** Milliseconds between checks of a task. Default 100. */
  pollMs?: number;
  fetch?: typeof fetch;
}

export interface PushResult {
  documents: number;
  uploads: number;
}

const enqueuedSchema = z.looseObject({ taskUid: z.int() });
const taskSchema = z.looseObject({
  status: z.enum(["enqueued", "processing", "succeeded", "failed", "canceled"]),
  error: z.looseObject({ message: z.string(), code: z.string() }).nullable(),
});

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** @throws Error with the server's reason; then the searched index is unchanged. */
export async function pushRecords(options: PushOptions): Promise<PushResult> {
  const { indexUid, settings, documents } = options;
  const temporary = `${indexUid}_${options.version.replaceAll(/[^A-Za-z0-9]/g, "")}`;
  const signal = AbortSignal.timeout(options.timeoutMs ?? 5 * 60_000);
  const call = createCall(options, signal);
  const finish = (enqueued: unknown, ignored?: string) =>
    waitForTask(call, enqueued, { ignored, pollMs: options.pollMs ?? 100, signal });
  try {
    const primaryKey = settings.primaryKey || null;
    await finish(await call("DELETE", `/indexes/${temporary}`), "index_not_found");
    await finish(await call("POST", "/indexes", { uid: temporary, primaryKey }));
    await finish(await call("POST", "/indexes", { uid: indexUid, primaryKey }), "index_already_exists");
    const { hierarchy: _, ...known } = toSettingsJson(settings, {});
    // A server without sections still answers with one record of each.
    known.distinctAttribute ??= settings.hierarchy?.url ?? null;
    await finish(await call("PATCH", `/indexes/${temporary}/settings`, known));
    const batches = splitIntoBatches(documents, options.batchBytes ?? 8 * 1024 * 1024);
    const enqueued: unknown[] = [];
    for (const batch of batches) enqueued.push(await call("POST", `/indexes/${temporary}/documents`, batch));
    for (const task of enqueued) await finish(task);
    await finish(await call("POST", "/swap-indexes", [{ indexes: [indexUid, temporary] }]));
    await finish(await call("DELETE", `/indexes/${temporary}`));
    return { documents: documents.length, uploads: batches.length };
  } catch (cause) {
    // The rest of the temporary index is useless; a failure here must not hide the first one.
    await call("DELETE", `/indexes/${temporary}`).catch(() => null);
    const isNonsense = cause instanceof z.ZodError || cause instanceof SyntaxError;
    const reason = isNonsense
      ? "it did not return a Meilisearch response. Check the address."
      : cause instanceof Error
        ? cause.message
        : String(cause);
    throw new Error(`The records could not be pushed to ${options.url}: ${reason}`, { cause });
  }
}

function createCall(options: PushOptions, signal: AbortSignal): Call {
  return async (method, path, body) => {
    const response = await (options.fetch ?? fetch)(addressOf(options.url, path), {
      method,
      headers: {
        authorization: `Bearer ${options.key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(options.answerMs ?? 10_000)]),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as unknown;
    throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 500)}`);
  };
}

async function waitForTask(
  call: Call,
  enqueued: unknown,
  options: { ignored: string | undefined; pollMs: number; signal: AbortSignal },
): Promise<void> {
  const { taskUid } = enqueuedSchema.parse(enqueued);
  for (;;) {
    const { status, error } = taskSchema.parse(await call("GET", `/tasks/${taskUid}`));
    if (status === "succeeded") return;
    if (status === "failed" && error && error.code === options.ignored) return;
    if (status === "failed" || status === "canceled")
      throw new Error(error?.message ?? `task ${taskUid} was ${status}`);
    options.signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, options.pollMs));
  }
}

function splitIntoBatches(documents: readonly SearchDocument[], maxBytes: number): SearchDocument[][] {
  const batches: SearchDocument[][] = [];
  let bytes = Infinity;
  for (const document of documents) {
    const size = Buffer.byteLength(JSON.stringify(document)) + 1;
    if (bytes + size > maxBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(document);
    bytes += size;
  }
  return batches;
}
