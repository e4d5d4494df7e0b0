/** The changes of document and settings tasks to an index. Pure; the build worker runs them. */
import { evaluateFilter, SearchError, type SearchQuery } from "#search/index.ts";
import { EmbedderError } from "../settings/embedders.ts";
import { applyProtocolSettings, applySettings } from "../settings/json.ts";
import type { SettingsBody } from "../settings/schema.ts";
import { VectorError } from "../vectors/parse-vectors.ts";
import { checkVectors, countVectors } from "./document-vectors.ts";
import {
  type DocumentOperation,
  done,
  failed,
  type OperationOutcome,
  setSettings,
  type Workspace,
} from "./workspace.ts";
import { writeDocuments } from "./write-documents.ts";

export function applyOperation(workspace: Workspace, operation: DocumentOperation): OperationOutcome {
  const before = workspace.documents.size;
  switch (operation.kind) {
    case "settings":
      return changeSettings(workspace, operation.body);

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

/** Nothing is changed when the documents do not fit new embedders. */
function changeSettings(workspace: Workspace, body: SettingsBody): OperationOutcome {
  const { primaryKey } = workspace.settings;
  try {
    const protocol = applyProtocolSettings(workspace.protocol, body);
    if (body.embedders != null) {
      const { embedders = {} } = protocol;
      for (const [id, document] of workspace.documents) checkVectors(document, id, embedders);
      countVectors(workspace.documents.values(), embedders);
    }
    setSettings(workspace, { ...applySettings(workspace.settings, body), primaryKey });
    workspace.protocol = protocol;
    return done({});
  } catch (error) {
    if (error instanceof EmbedderError) return failed({}, "invalid_settings_embedders", error.message);
    if (error instanceof VectorError) return failed({}, error.code, error.message);
    throw error;
  }
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
