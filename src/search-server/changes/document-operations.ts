/** The changes of document and settings tasks to an index. Pure; the build worker runs them. */
import {
  evaluateFilter,
  type Index,
  type IndexSettings,
  type Json,
  type SearchDocument,
  SearchError,
  type SearchQuery,
} from "#search/index.ts";
import { applyProtocolSettings, applySettings, type ProtocolSettings } from "../settings/json.ts";
import type { SettingsBody } from "../settings/schema.ts";

export type DocumentOperation =
  | {
      kind: "replace" | "update";
      documents: SearchDocument[];
      primaryKey: string | null;
      /** Only documents that already exist are written. */
      skipCreation: boolean;
    }
  | { kind: "deleteIds"; ids: string[] }
  | { kind: "deleteFilter"; filter: NonNullable<SearchQuery["filter"]> }
  | { kind: "deleteAll" }
  | { kind: "settings"; body: SettingsBody }
  | { kind: "primaryKey"; primaryKey: string };

/** An error in a task's content, by code; it is passed between threads, so it is not an `Error`. */
export interface OperationError {
  code: string;
  message: string;
}

export interface OperationOutcome {
  details: { [name: string]: number };
  error: OperationError | null;
}

export interface Workspace {
  /** The index before the first operation; null if it did not exist or has an older format. */
  index: Index | null;
  settings: IndexSettings;
  protocol: ProtocolSettings;
  /** By primary key, in the order in which they were first added. */
  documents: Map<string, SearchDocument>;
  /** Whether any operation has changed something; if none has, there is nothing to build. */
  isChanged: boolean;
}

export function applyOperation(workspace: Workspace, operation: DocumentOperation): OperationOutcome {
  const before = workspace.documents.size;
  switch (operation.kind) {
    case "settings": {
      const { primaryKey } = workspace.settings;
      setSettings(workspace, { ...applySettings(workspace.settings, operation.body), primaryKey });
      workspace.protocol = applyProtocolSettings(workspace.protocol, operation.body);
      return done({});
    }
    case "primaryKey":
      return setPrimaryKey(workspace, operation.primaryKey);
    case "deleteAll":
      workspace.documents.clear();
      workspace.isChanged ||= before > 0;
      return done({ deletedDocuments: before });
    case "deleteFilter":
      return deleteByFilter(workspace, operation.filter);
    case "deleteIds":
      for (const id of operation.ids) {
        if (workspace.documents.delete(id)) workspace.isChanged = true;
      }
      return done({ deletedDocuments: before - workspace.documents.size });
    default:
      return writeDocuments(workspace, operation);
  }
}

function done(details: { [name: string]: number }): OperationOutcome {
  return { details, error: null };
}

function failed(details: { [name: string]: number }, code: string, message: string): OperationOutcome {
  return { details, error: { code, message } };
}

/** Reads the index as it was opened, so it must be the first operation of its batch. */
function deleteByFilter(workspace: Workspace, filter: NonNullable<SearchQuery["filter"]>): OperationOutcome {
  const { index, documents } = workspace;
  if (!index) return done({ deletedDocuments: 0 });
  const before = documents.size;
  try {
    const set = evaluateFilter(index, filter);
    const keys = [...documents.keys()];
    // The documents were read in the order of their numbers, and nothing has changed since.
    keys.forEach((key, id) => {
      if (set && set[id] !== 1) return;
      documents.delete(key);
      workspace.isChanged = true;
    });
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    return failed({ deletedDocuments: 0 }, "invalid_document_filter", error.message);
  }
  return done({ deletedDocuments: before - documents.size });
}

function setPrimaryKey(workspace: Workspace, primaryKey: string): OperationOutcome {
  const current = workspace.settings.primaryKey;
  if (workspace.documents.size > 0 && current !== "" && current !== primaryKey) {
    return failed(
      {},
      "index_primary_key_already_exists",
      `The index already has the primary key \`${current}\`; it cannot change while there are documents.`,
    );
  }
  setSettings(workspace, { ...workspace.settings, primaryKey });
  return done({});
}

function setSettings(workspace: Workspace, settings: IndexSettings): void {
  if (JSON.stringify(settings) !== JSON.stringify(workspace.settings)) workspace.isChanged = true;
  workspace.settings = settings;
}

type Write = Extract<DocumentOperation, { kind: "replace" | "update" }>;

/** All or nothing: one wrong document fails the whole task, as in Meilisearch. */
function writeDocuments(workspace: Workspace, operation: Write): OperationOutcome {
  const none = { indexedDocuments: 0 };
  const primaryKey = choosePrimaryKey(workspace, operation);
  if (typeof primaryKey !== "string") return failed(none, primaryKey.code, primaryKey.message);
  const writes: [string, SearchDocument][] = [];
  for (const document of operation.documents) {
    const id = readId(document, primaryKey);
    if (typeof id !== "string") return failed(none, id.code, id.message);
    writes.push([id, document]);
  }
  setSettings(workspace, { ...workspace.settings, primaryKey });
  let indexedDocuments = 0;
  for (const [id, document] of writes) {
    const current = workspace.documents.get(id);
    if (operation.skipCreation && !current) continue;
    const next = operation.kind === "update" && current ? { ...current, ...document } : document;
    indexedDocuments++;
    // A crawler sends everything again, and most of it is unchanged.
    if (current && JSON.stringify(current) === JSON.stringify(next)) continue;
    workspace.documents.set(id, next);
    workspace.isChanged = true;
  }
  return done({ indexedDocuments });
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
