import type { SearchDocument, SearchQuery } from "#search/index.ts";
import type { ChangeWork } from "../changes/change-work.ts";
import type { ContentService } from "../changes/content-service.ts";
import type { IndexChangeRequest } from "../changes/intake.ts";
import type { SettingsBody } from "../settings/schema.ts";
import type { Task } from "../catalog/task.ts";

/** A change as a route passes it on. */
export type SentChange = Pick<IndexChangeRequest, "change" | "body" | "type">;

export function add(documents: SearchDocument[], primaryKey: string | null = "id"): SentChange {
  const form = { type: "application/json", delimiter: "," } as const;
  const change: ChangeWork = { kind: "replace", form, primaryKey, skipCreation: false };
  return { type: "documentAdditionOrUpdate", change, body: { value: documents } };
}

export function changeSettings(value: SettingsBody): SentChange {
  return { type: "settingsUpdate", change: { kind: "settings", setting: null }, body: { value } };
}

export function deleteBy(
  what: { ids: string[] } | { filter: NonNullable<SearchQuery["filter"]> } | "all",
): SentChange {
  const type = "documentDeletion";
  if (what === "all") return { type, change: { kind: "deleteAll" } };
  if ("ids" in what) return { type, change: { kind: "deleteIds" }, body: { value: what.ids } };
  return { type, change: { kind: "deleteFilter" }, body: { value: what } };
}

export function change(service: ContentService, indexUid: string, sent: SentChange): Promise<Task> {
  return service.change({ indexUid, ...sent });
}
