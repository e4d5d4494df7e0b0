/** What the operations of a batch work on: an index, taken apart into settings and documents. */
import type { Index, IndexSettings, SearchDocument, SearchQuery } from "#search/index.ts";
import type { ProtocolSettings } from "../settings/json.ts";
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

export function done(details: { [name: string]: number }): OperationOutcome {
  return { details, error: null };
}

export function failed(details: { [name: string]: number }, code: string, message: string): OperationOutcome {
  return { details, error: { code, message } };
}

export function setSettings(workspace: Workspace, settings: IndexSettings): void {
  if (JSON.stringify(settings) !== JSON.stringify(workspace.settings)) workspace.isChanged = true;
  workspace.settings = settings;
}
