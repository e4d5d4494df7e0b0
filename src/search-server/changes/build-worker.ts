/**
 * Runs in its own thread: documents of the current index + operations → the bytes of the next one, or null if
 * the operations change nothing. The operations' payloads are read here, so that no long text is parsed in
 * the thread that answers requests.
 */
import { parentPort } from "node:worker_threads";
import {
  buildIndex,
  type IndexSettings,
  openIndex,
  readFormerIndex,
  type SearchDocument,
} from "#search/index.ts";
import type { PayloadSource } from "../catalog/payload-store.ts";
import { type ChangeWork, operationOf, payloadForm } from "./change-work.ts";
import { applyOperation } from "./document-operations.ts";
import { countVectors } from "./document-vectors.ts";
import type { DocumentOperation, OperationOutcome, Workspace } from "./workspace.ts";
import { idOfDocument } from "./write-documents.ts";
import { ApiError } from "../protocol/errors.ts";
import { loadPayload, readPayload } from "../payloads/content.ts";
import { ownHeapBytes } from "../payloads/resting-thread.ts";
import type { ProtocolSettings } from "../settings/json.ts";

export interface BuildRequest {
  /** The index that the operations change; null = it does not exist yet. */
  bytes: Uint8Array | null;
  /** The bytes have an older format: they are rebuilt, whatever the operations. */
  isFormer?: boolean;
  /** For an index that does not exist yet. */
  settings: IndexSettings;
  protocol: ProtocolSettings;
  changes: { work: ChangeWork; payload: PayloadSource | null }[];
}

export interface BuiltIndex {
  /** null: nothing has changed. */
  bytes: Uint8Array | null;
  protocol: ProtocolSettings;
  outcomes: OperationOutcome[];
}

export type BuildMessage =
  | { kind: "progress"; step: string; finished: number; total: number }
  | ((({ kind: "done" } & BuiltIndex) | { kind: "failed"; message: string }) & { heapBytes: number });

export const BUILD_STEPS = ["reading documents", "applying changes", "building the index"];

async function runBuild(request: BuildRequest, onStep: (step: number) => void): Promise<BuiltIndex> {
  onStep(0);
  const workspace = openWorkspace(request);
  onStep(1);
  const outcomes: OperationOutcome[] = [];
  for (const change of request.changes) outcomes.push(await applyChange(workspace, change));
  const { documents, settings, isChanged } = workspace;
  const protocol = withCounts(workspace);
  if (!isChanged) return { bytes: null, protocol, outcomes };
  onStep(2);
  return { bytes: buildIndex([...documents.values()], settings), protocol, outcomes };
}

/** The protocol's settings, with the number of vectors that its statistics name. */
function withCounts({ documents, protocol }: Workspace): ProtocolSettings {
  const { embedded: _, ...others } = protocol;
  const { embedders = {} } = protocol;
  if (Object.keys(embedders).length === 0) return others;
  return { ...others, embedded: countVectors(documents.values(), embedders) };
}

function openWorkspace({ bytes, isFormer = false, settings, protocol }: BuildRequest): Workspace {
  if (bytes === null) return { index: null, settings, protocol, documents: new Map(), isChanged: true };
  if (isFormer) {
    const former = readFormerIndex(bytes);
    const documents = byKey(former.documents, former.settings.primaryKey);
    return { index: null, settings: former.settings, protocol, documents, isChanged: true };
  }
  const index = openIndex(bytes);
  const all = Array.from({ length: index.documentCount }, (_, id) => index.document(id));
  const documents = byKey(all, index.settings.primaryKey);
  return { index, settings: index.settings, protocol, documents, isChanged: false };
}

function byKey(all: readonly SearchDocument[], primaryKey: string): Map<string, SearchDocument> {
  const documents = new Map<string, SearchDocument>();
  all.forEach((document, id) => {
    const key = idOfDocument(document, primaryKey);
    // A document without a key, or with a duplicate one, cannot be addressed but is not lost.
    documents.set(key === null || documents.has(key) ? `#${id}` : key, document);
  });
  return documents;
}

/** An unreadable payload fails only its own task of the batch. */
async function applyChange(
  workspace: Workspace,
  { work, payload }: BuildRequest["changes"][number],
): Promise<OperationOutcome> {
  let operation: DocumentOperation;
  try {
    const form = payloadForm(work);
    operation = operationOf(work, form && payload ? readPayload(form, await loadPayload(payload)) : null);
  } catch (error) {
    const code = error instanceof ApiError ? error.code : "internal";
    const message = error instanceof Error ? error.message : String(error);
    return { details: {}, error: { code, message: `The task's payload cannot be read: ${message}` } };
  }
  return applyOperation(workspace, operation);
}

parentPort?.on("message", (request: BuildRequest) => {
  const port = parentPort!;
  const send = (message: BuildMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const total = BUILD_STEPS.length;
  const onStep = (step: number) =>
    send({ kind: "progress", step: BUILD_STEPS[step]!, finished: step, total });
  runBuild(request, onStep).then(
    ({ bytes, ...built }) => {
      if (bytes === null) return send({ kind: "done", heapBytes: ownHeapBytes(), bytes, ...built });
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
      // A view that `buildIndex` made over its own buffer, which is not shared.
      return send({ kind: "done", heapBytes: ownHeapBytes(), bytes: own, ...built }, [
        own.buffer as ArrayBuffer,
      ]);
    },
    (error: unknown) =>
      send({
        kind: "failed",
        heapBytes: ownHeapBytes(),
        message: error instanceof Error ? error.message : String(error),
      }),
  );
});
