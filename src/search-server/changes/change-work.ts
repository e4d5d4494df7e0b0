import type { DocumentOperation } from "./workspace.ts";
import type { DocumentsForm } from "../payloads/documents.ts";
import type { PayloadContent, PayloadForm } from "../payloads/content.ts";
import type { SettingName } from "../settings/schema.ts";

/**
 * A change as its task stores it; long parts are in the task's payload. `mayCreate` is false if the key of
 * the request may not create the index.
 */
export type ChangeWork =
  | {
      kind: "replace" | "update";
      form: DocumentsForm;
      primaryKey: string | null;
      /** Only documents that already exist are written. */
      skipCreation: boolean;
      mayCreate?: boolean;
    }
  | { kind: "deleteIds" | "deleteFilter" | "deleteAll" }
  | { kind: "settings"; setting: SettingName | null; mayCreate?: boolean }
  | { kind: "primaryKey"; primaryKey: string };

/** How the payload of a change is read; null if it has none. */
export function payloadForm(work: ChangeWork): PayloadForm | null {
  switch (work.kind) {
    case "replace":
    case "update":
      return { kind: "documents", ...work.form };
    case "deleteIds":
      return { kind: "ids" };
    case "deleteFilter":
      return { kind: "filter" };
    case "settings":
      return { kind: "settings", setting: work.setting };
    default:
      return null;
  }
}

/** @throws Error when the payload is not of the change's kind */
export function operationOf(work: ChangeWork, content: PayloadContent | null): DocumentOperation {
  if (work.kind === "deleteAll") return { kind: "deleteAll" };
  if (work.kind === "primaryKey") return work;
  if ((work.kind === "replace" || work.kind === "update") && content?.kind === "documents") {
    const { kind, primaryKey, skipCreation } = work;
    return { kind, documents: content.documents, primaryKey, skipCreation };
  }
  if (work.kind === "deleteIds" && content?.kind === "ids") return { kind: work.kind, ids: content.ids };
  if (work.kind === "deleteFilter" && content?.kind === "filter") {
    return { kind: work.kind, filter: content.filter };
  }
  if (work.kind === "settings" && content?.kind === "settings")
    return { kind: work.kind, body: content.body };
  throw new Error(`A ${work.kind} task has a payload of another kind.`);
}
