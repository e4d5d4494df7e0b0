import type { Metrics } from "#platform/metrics/metrics.ts";
import type { ContentService } from "./changes/content-service.ts";
import type { SearchQueue } from "./searches/queue.ts";
import type { SearchStore } from "./catalog/store.ts";

export interface MeasuredSearch {
  queue: Pick<SearchQueue, "started" | "waiting">;
  store: Pick<SearchStore, "list" | "unusable">;
  /** Null without content routes. */
  content: Pick<ContentService, "tasks"> | null;
}

/** Registers this room's figures. */
export function registerSearchMetrics(metrics: Metrics, { queue, store, content }: MeasuredSearch): void {
  const { gauge } = metrics;
  gauge("search_queue_waiting", "Searches waiting to start.", () => queue.waiting);
  gauge("search_queue_started", "Searches in progress.", () => queue.started);
  gauge("search_indexes", "Indexes being served.", () => store.list().length);
  gauge("search_indexes_unusable", "Indexes that cannot be used.", () => store.unusable().length);
  gauge("search_index_bytes", "Bytes of the indexes being served.", () =>
    store.list().reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
  );
  if (!content) return;
  const isWaiting = ({ status }: { status: string }) => status === "enqueued" || status === "processing";
  gauge(
    "search_tasks_waiting",
    "Tasks waiting or running.",
    () => content.tasks.all().filter(isWaiting).length,
  );
}
