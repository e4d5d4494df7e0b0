/**
 * From a request's body to a task that survives a crash: received, checked, stored, and only then reported.
 */
import { held, type Payload, type PayloadBody, type PayloadStore } from "../catalog/payload-store.ts";
import { type ChangeWork, payloadForm } from "./change-work.ts";
import type { Features } from "./features.ts";
import type { ContentState, ContentWork } from "./content-state.ts";
import type { SearchLimits } from "../protocol/limits.ts";
import type { PayloadChecker } from "../payloads/checker.ts";
import { describePayload, readPayload } from "../payloads/content.ts";
import { asStorageError } from "../protocol/storage-errors.ts";
import type { Task, TaskType } from "../catalog/task.ts";
import type { TaskQueue } from "./task-queue.ts";

export interface IndexChangeRequest {
  indexUid: string;
  type: TaskType;
  change: ChangeWork;
  /** The content of the change: a body as it arrives, or a JSON value. */
  body?: PayloadBody | { value: unknown };
  /** Added to the body's own details. */
  details?: { [name: string]: unknown };
  customMetadata?: string;
}

export interface Intake {
  tasks: TaskQueue<ContentWork>;
  payloads: PayloadStore;
  checker: PayloadChecker;
  checkWritable: ContentState["checkWritable"];
  features: Features;
  limits: SearchLimits;
}

/** @throws ApiError; then nothing of the request is stored */
export async function takeChange(intake: Intake, request: IndexChangeRequest): Promise<Task> {
  const { tasks, payloads, checkWritable } = intake;
  checkWritable([request.indexUid]);
  tasks.checkRoom();
  const { indexUid, type, change, body, customMetadata } = request;
  let payload: Payload | null = null;
  try {
    if (body) payload = await receive(payloads, body);
    const described = payload && (await describe(intake, change, payload));
    if (change.kind === "settings" && described?.["foreignKeys"] != null)
      intake.features.require("foreignKeys", "Setting `foreignKeys`");
    const details = { ...described, ...request.details };
    return tasks.enqueue({
      indexUid,
      type,
      details,
      work: { kind: "change", change },
      ...(payload && { payload }),
      ...(customMetadata !== undefined && { customMetadata }),
    });
  } catch (error) {
    if (payload) await payloads.discard(held(payload));
    throw asStorageError(error);
  }
}

function receive(payloads: PayloadStore, body: PayloadBody | { value: unknown }): Promise<Payload> {
  if (!("value" in body)) return payloads.receive(body);
  const bytes = new TextEncoder().encode(JSON.stringify(body.value));
  return payloads.receive({ stream: only(bytes), declared: bytes.byteLength, maximum: bytes.byteLength });
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Short bodies are checked immediately; long ones would block everything else. */
async function describe({ checker, payloads, limits }: Intake, change: ChangeWork, payload: Payload) {
  const form = payloadForm(change);
  if (form === null) return {};
  const source = payloads.locate(payload.source);
  if ("bytes" in source && payload.size <= limits.inlinePayloadBytes) {
    return describePayload(readPayload(form, source.bytes), limits.taskDetailsLength);
  }
  return checker.check(form, source);
}
