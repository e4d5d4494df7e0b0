/** The documents sent with an unfinished task, for operators who wonder what is waiting. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { payloadForm } from "./change-work.ts";
import type { ContentState, ContentWork } from "./content-state.ts";
import { ApiError } from "../protocol/errors.ts";
import { loadPayload, readPayload } from "../payloads/content.ts";

/** One document per line. */
export type TaskDocuments = string | ReadableStream<Uint8Array>;

type State = Pick<ContentState, "catalog" | "payloads" | "limits">;

/**
 * NDJSON is returned unchanged, however long; other forms are converted, in the thread that answers all
 * requests.
 * @throws ApiError `payload_too_large`; the system's error
 */
export async function readTaskDocuments(state: State, task: number): Promise<TaskDocuments | null> {
  const { catalog, payloads, limits } = state;
  // Written by `enqueue`.
  const work = catalog.workOf(task) as ContentWork | null;
  const form = work?.kind === "change" ? payloadForm(work.change) : null;
  const kept = catalog.payloadOf(task);
  if (form?.kind !== "documents" || !kept) return null;
  const source = payloads.locate(kept);
  try {
    const isFile = "file" in source;
    if (form.type === "application/x-ndjson") {
      return isFile ? webStream(source.file) : new TextDecoder().decode(source.bytes);
    }
    const size = isFile ? (await stat(source.file)).size : source.bytes.byteLength;
    if (size > limits.taskDocumentBytes) throw tooLarge(task, size, limits.taskDocumentBytes);
    const content = readPayload(form, await loadPayload(source));
    if (content.kind !== "documents") return null;
    return content.documents.map((document) => `${JSON.stringify(document)}\n`).join("");
  } catch (error) {
    // The task was done in the meantime.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function webStream(file: string): ReadableStream<Uint8Array> {
  // Node's own type of the same stream.
  return Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
}

function tooLarge(task: number, size: number, most: number): ApiError {
  return new ApiError(
    "payload_too_large",
    `The documents of task ${task} have ${size} bytes; this server converts at most ${most} bytes of JSON or CSV to NDJSON. ` +
      "Documents that were sent as NDJSON can be read at any size.",
  );
}
