/** The tasks that a query selects and that the sender may see, page by page. */
import type { Context } from "hono";
import { ApiError } from "../protocol/errors.ts";
import type { ContentService } from "../changes/content-service.ts";
import type { Access } from "../keys/access.ts";
import { accessOf } from "../keys/guards.ts";
import { type Task, TASK_TYPES } from "../catalog/task.ts";
import type { QueryParams } from "./query-params.ts";

export const TASK_FILTERS = [
  "uids",
  "batchUids",
  "statuses",
  "types",
  "indexUids",
  "canceledBy",
  "beforeEnqueuedAt",
  "afterEnqueuedAt",
  "beforeStartedAt",
  "afterStartedAt",
  "beforeFinishedAt",
  "afterFinishedAt",
];
export const TASK_PAGING = ["limit", "from", "reverse"];
const STATUSES = ["enqueued", "processing", "succeeded", "failed", "canceled"];

/** Newest first; only tasks of indexes that the sender may know of. */
export function visibleTasks({ tasks }: ContentService, context: Context): Task[] {
  const access = accessOf(context);
  return access.seesAll ? tasks.all() : tasks.all().filter((task) => isVisible(task, access));
}

/**
 * A swap belongs to all indexes that it names; tasks without an index are for senders who see every index.
 */
export function isVisible({ indexUid, type, details }: Task, access: Access): boolean {
  if (access.seesAll) return true;
  if (indexUid !== null) return access.sees(indexUid);
  if (type !== "indexSwap") return false;
  // As POST /swap-indexes enqueued it.
  const swaps = details["swaps"] as { indexes: string[] }[];
  return swaps.every(({ indexes }) => indexes.every((uid) => access.sees(uid)));
}

export function taskFilter(params: QueryParams): (task: Task) => boolean {
  const statuses = known(params, "statuses", { what: "status", plural: "statuses", all: STATUSES });
  const types = known(params, "types", { what: "type", plural: "types", all: TASK_TYPES });
  const lists: [readonly (string | number)[] | null, (task: Task) => string | number | null][] = [
    [params.numbers("uids"), (task) => task.uid],
    [params.numbers("batchUids"), (task) => task.batchUid],
    [params.numbers("canceledBy"), (task) => task.canceledBy],
    [statuses, (task) => task.status],
    [types, (task) => task.type],
    [params.list("indexUids"), (task) => task.indexUid],
  ];
  const ranges = (["enqueuedAt", "startedAt", "finishedAt"] as const).map((name) => {
    const capital = name[0]!.toUpperCase() + name.slice(1);
    return { name, after: params.date(`after${capital}`), before: params.date(`before${capital}`) };
  });
  return (task) =>
    lists.every(([wanted, read]) => {
      const value = read(task);
      return wanted === null || (value !== null && wanted.includes(value));
    }) &&
    ranges.every(({ name, after, before }) => {
      if (after === null && before === null) return true;
      const time = Date.parse(task[name] ?? "");
      return time > (after ?? -Infinity) && time < (before ?? Infinity);
    });
}

/** @throws ApiError for a value that no task can have */
function known(
  params: QueryParams,
  name: "statuses" | "types",
  { what, plural, all }: { what: string; plural: string; all: readonly string[] },
): string[] | null {
  const values = params.list(name);
  const unknown = values?.find((value) => !all.includes(value));
  if (unknown === undefined) return values;
  throw new ApiError(
    `invalid_task_${name}`,
    `Invalid value in parameter \`${name}\`: \`${unknown.slice(0, 100)}\` is not a valid task ${what}. ` +
      `Available ${plural} are ${all.map((value) => `\`${value}\``).join(", ")}.`,
  );
}

/** `items` come newest first. */
export function paginate<Item>(params: QueryParams, items: Item[], uidOf: (item: Item) => number) {
  const limit = params.count("limit", 20);
  const isReversed = params.flag("reverse");
  const ordered = isReversed ? items.toReversed() : items;
  const from = params.count("from", isReversed ? 0 : Number.MAX_SAFE_INTEGER);
  const rest = ordered.filter((item) => (isReversed ? uidOf(item) >= from : uidOf(item) <= from));
  const results = rest.slice(0, limit);
  const next = rest[limit];
  return {
    results,
    total: items.length,
    limit,
    from: results[0] ? uidOf(results[0]) : null,
    next: next ? uidOf(next) : null,
  };
}
