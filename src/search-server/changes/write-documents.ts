/** Adds, replaces and updates documents, with their vectors. */
import { type Json, type SearchDocument, VECTORS } from "#search/index.ts";
import { VectorError } from "../vectors/parse-vectors.ts";
import { checkVectors, countVectors, mergeVectors, withStoredVectors } from "./document-vectors.ts";
import {
  type DocumentOperation,
  done,
  failed,
  type OperationError,
  type OperationOutcome,
  setSettings,
  type Workspace,
} from "./workspace.ts";

type Write = Extract<DocumentOperation, { kind: "replace" | "update" }>;

/** All or nothing: one wrong document fails the whole task, as in Meilisearch. */
export function writeDocuments(workspace: Workspace, operation: Write): OperationOutcome {
  const none = { indexedDocuments: 0 };
  const primaryKey = choosePrimaryKey(workspace, operation);
  if (typeof primaryKey !== "string") return failed(none, primaryKey.code, primaryKey.message);
  const writes: [string, SearchDocument][] = [];
  for (const document of operation.documents) {
    const id = readId(document, primaryKey);
    if (typeof id !== "string") return failed(none, id.code, id.message);
    writes.push([id, document]);
  }
  try {
    const { written, indexedDocuments } = stage(workspace, writes, operation);
    setSettings(workspace, { ...workspace.settings, primaryKey });
    for (const [id, document] of written) workspace.documents.set(id, document);
    workspace.isChanged ||= written.size > 0;
    return done({ indexedDocuments });
  } catch (error) {
    if (!(error instanceof VectorError)) throw error;
    return failed(none, error.code, error.message);
  }
}

/** The documents that differ from those in the index. @throws VectorError */
function stage(
  { documents, protocol }: Workspace,
  writes: readonly [string, SearchDocument][],
  { kind, skipCreation }: Write,
): { written: Map<string, SearchDocument>; indexedDocuments: number } {
  const embedders = protocol.embedders ?? {};
  const written = new Map<string, SearchDocument>();
  let indexedDocuments = 0;
  for (const [id, sent] of writes) {
    const current = written.get(id) ?? documents.get(id);
    if (skipCreation && !current) continue;
    const document = withStoredVectors(sent, id);
    const next = kind === "update" && current ? updated(current, document) : document;
    indexedDocuments++;
    // A crawler sends everything again, and most of it is unchanged.
    if (current && JSON.stringify(current) === JSON.stringify(next)) continue;
    checkVectors(next, id, embedders);
    written.set(id, next);
  }
  if (Object.keys(embedders).length > 0 && written.size > 0)
    countVectors(new Map([...documents, ...written]).values(), embedders);
  return { written, indexedDocuments };
}

function updated(current: SearchDocument, document: SearchDocument): SearchDocument {
  const vectors = mergeVectors(current, document);
  return { ...current, ...document, ...(vectors !== undefined && { [VECTORS]: vectors }) };
}

/** The index's own key, else the requested one, else the only attribute whose name ends in "id". */
function choosePrimaryKey(workspace: Workspace, operation: Write): string | OperationError {
  const current = workspace.settings.primaryKey;
  if (current !== "" && (workspace.documents.size > 0 || operation.primaryKey === null)) {
    if (operation.primaryKey === null || operation.primaryKey === current) return current;
    return {
      code: "index_primary_key_already_exists",
      message: `Index already has a primary key: \`${current}\`.`,
    };
  }
  if (operation.primaryKey !== null) return operation.primaryKey;
  const first = operation.documents[0] ?? {};
  const candidates = Object.keys(first).filter((name) => name.toLowerCase().endsWith("id"));
  if (candidates.length === 1) return candidates[0]!;
  if (candidates.length === 0) {
    return {
      code: "index_primary_key_no_candidate_found",
      message:
        "The primary key inference failed as the engine did not find any field ending with `id` in its name. " +
        "Please specify the primary key manually using the `primaryKey` query parameter.",
    };
  }
  return {
    code: "index_primary_key_multiple_candidates_found",
    message:
      `The primary key inference failed as the engine found ${candidates.length} fields ending with \`id\` in their names: ` +
      `'${candidates[0]}' and '${candidates[1]}'. Please specify the primary key manually using the \`primaryKey\` query parameter.`,
  };
}

function readId(document: SearchDocument, primaryKey: string): string | OperationError {
  const value = primaryKey.split(".").reduce<Json | undefined>(readMember, document);
  if (value === undefined) {
    return {
      code: "missing_document_id",
      message: `Document doesn't have a \`${primaryKey}\` attribute: \`${cut(JSON.stringify(document))}\`.`,
    };
  }
  const isInteger = typeof value === "number" && Number.isSafeInteger(value);
  const isName = typeof value === "string" && /^[A-Za-z0-9_-]{1,511}$/.test(value);
  if (isInteger || isName) return String(value);
  return {
    code: "invalid_document_id",
    message:
      `Document identifier \`${cut(JSON.stringify(value))}\` is invalid. A document identifier can be of type integer or string, ` +
      "only composed of alphanumeric characters (a-z A-Z 0-9), hyphens (-) and underscores (_), and can not be more than 511 bytes.",
  };
}

function readMember(value: Json | undefined, name: string): Json | undefined {
  if (value === undefined || value === null || typeof value !== "object" || Array.isArray(value))
    return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** The key that identifies a document already in the index; null if it has none. */
export function idOfDocument(document: SearchDocument, primaryKey: string): string | null {
  const value = primaryKey.split(".").reduce<Json | undefined>(readMember, document);
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}
