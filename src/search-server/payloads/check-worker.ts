/** Runs in its own thread: parses and checks request bodies that are too long for the thread that answers. */
import { parentPort } from "node:worker_threads";
import type { PayloadSource } from "../catalog/payload-store.ts";
import { ApiError } from "../protocol/errors.ts";
import { describePayload, loadPayload, type PayloadForm, readPayload } from "./content.ts";
import { ownHeapBytes } from "./resting-thread.ts";

export interface CheckRequest {
  id: number;
  form: PayloadForm;
  source: PayloadSource;
  detailsLength: number;
}

type Checked = { details: { [name: string]: unknown } } | { code: string; message: string };

export type CheckAnswer = { id: number; heapBytes: number } & Checked;

async function check({ form, source, detailsLength }: CheckRequest): Promise<Checked> {
  try {
    return { details: describePayload(readPayload(form, await loadPayload(source)), detailsLength) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: error instanceof ApiError ? error.code : "internal", message };
  }
}

parentPort?.on("message", (request: CheckRequest) => {
  void check(request).then((checked) => {
    const answer: CheckAnswer = { id: request.id, heapBytes: ownHeapBytes(), ...checked };
    parentPort?.postMessage(answer, []);
  });
});
