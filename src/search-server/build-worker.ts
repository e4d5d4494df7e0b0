/**
 * Runs in a thread of its own: documents of the current index + operations → the bytes of the next one, or null if the
 * operations change nothing.
 */
import { parentPort } from "node:worker_threads";
import { buildIndex, openIndex } from "#search/index.ts";
import type { Index, IndexSettings, SearchDocument } from "#search/types.ts";
import {
  applyOperation,
  type DocumentOperation,
  idOfDocument,
  type OperationOutcome,
  type Workspace,
} from "./document-operations.ts";

export interface BuildRequest {
  /** The index that the operations change; null = it does not exist yet. */
  bytes: Uint8Array | null;
  settings: IndexSettings;
  operations: DocumentOperation[];
}

export type BuildMessage =
  | { kind: "progress"; step: string; finished: number; total: number }
  | { kind: "done"; bytes: Uint8Array | null; outcomes: OperationOutcome[] }
  | { kind: "failed"; message: string };

export const BUILD_STEPS = ["reading documents", "applying changes", "building the index"];

export function runBuild(
  request: BuildRequest,
  onStep: (step: number) => void,
): { bytes: Uint8Array | null; outcomes: OperationOutcome[] } {
  onStep(0);
  const index = request.bytes ? openIndex(request.bytes) : null;
  const { settings } = request;
  const documents = readDocuments(index, settings.primaryKey);
  const workspace: Workspace = { index, settings, documents, isChanged: index === null };
  onStep(1);
  const outcomes = request.operations.map((operation) => applyOperation(workspace, operation));
  if (!workspace.isChanged) return { bytes: null, outcomes };
  onStep(2);
  return { bytes: buildIndex([...workspace.documents.values()], workspace.settings), outcomes };
}

function readDocuments(index: Index | null, primaryKey: string): Map<string, SearchDocument> {
  const documents = new Map<string, SearchDocument>();
  for (let id = 0; id < (index?.documentCount ?? 0); id++) {
    const document = index!.document(id);
    const key = idOfDocument(document, primaryKey);
    // A document without a key, or with one that another has too, cannot be addressed but is not lost.
    documents.set(key === null || documents.has(key) ? `#${id}` : key, document);
  }
  return documents;
}

parentPort?.on("message", (request: BuildRequest) => {
  const port = parentPort!;
  const send = (message: BuildMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  try {
    const total = BUILD_STEPS.length;
    const onStep = (step: number) =>
      send({ kind: "progress", step: BUILD_STEPS[step]!, finished: step, total });
    const { bytes, outcomes } = runBuild(request, onStep);
    if (bytes === null) return send({ kind: "done", bytes, outcomes });
    const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
    // A view that `buildIndex` made over its own buffer; it is not shared with anybody.
    send({ kind: "done", bytes: own, outcomes }, [own.buffer as ArrayBuffer]);
  } catch (error) {
    send({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
});
