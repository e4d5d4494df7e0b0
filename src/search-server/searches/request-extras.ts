/** Extra information in an answer, on request: how long it took, and the number of each query. */
import type { OpenedIndex, SearchStage, Trace } from "#search/index.ts";

export interface RequestExtras {
  /** The header `Meili-Include-Metadata: true`: each query gets a number that analytics can refer to. */
  hasMetadata?: boolean;
  /** When the request arrived, by the clock of the searches. */
  arrived?: number;
}

/** Asks for the metadata of Meilisearch's analytics. */
export const METADATA_HEADER = "meili-include-metadata";

export function wantsMetadata(header: string | undefined): boolean {
  return header?.trim().toLowerCase() === "true";
}

export interface QueryMetadata {
  queryUid: string;
  indexUid: string;
  primaryKey: string | null;
}

export function metadataOf(indexUid: string, index: OpenedIndex): QueryMetadata {
  return { queryUid: crypto.randomUUID(), indexUid, primaryKey: index.settings.primaryKey || null };
}

/** Collects the stages of one search, or of several that make one list. */
export function createStages(): Trace & {
  toJson: (searchMs: number, waitedMs: number) => { [stage: string]: string };
} {
  const stages = new Map<SearchStage, number>();
  return {
    add: (stage, ms) => void stages.set(stage, (stages.get(stage) ?? 0) + ms),
    toJson: (searchMs, waitedMs) => ({
      "wait in queue": showDuration(waitedMs),
      ...Object.fromEntries([...stages].map(([stage, ms]) => [`search > ${stage}`, showDuration(ms)])),
      search: showDuration(searchMs),
    }),
  };
}

/** `295.29µs`, `3.56ms`, `1.20s` */
export function showDuration(ms: number): string {
  if (ms < 1) return `${(ms * 1000).toFixed(2)}µs`;
  return ms < 1000 ? `${ms.toFixed(2)}ms` : `${(ms / 1000).toFixed(2)}s`;
}
