/** Runs in its own thread: parses and checks request bodies that are too long for the thread that answers. */
import { parentPort } from "node:worker_threads";
import type { PayloadSource } from "./catalog/payload-store.ts";
import { ApiError } from "./errors.ts";
import { describePayload, loadPayload, type PayloadForm, readPayload } from "./payload-content.ts";

export interface CheckRequest {
  id: number;
  form: PayloadForm;
  source: PayloadSource;
  detailsLength: number;
}

export type CheckAnswer = { id: number } & (
  { details: { [name: string]: unknown } } | { code: string; message: string }
);

async function check({ id, form, source, detailsLength }: CheckRequest): Promise<CheckAnswer> {
  try {
    return { id, details: describePayload(readPayload(form, await loadPayload(source)), detailsLength) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, code: error instanceof ApiError ? error.code : "internal", message };
  }
}

parentPort?.on("message", (request: CheckRequest) => {
  void check(request).then((answer) => parentPort?.postMessage(answer, []));
});
