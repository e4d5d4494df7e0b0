import { type Context, Hono } from "hono";
import type { ContentService } from "../content-service.ts";
import { ApiError } from "../errors.ts";
import type { ContentWork } from "../content-state.ts";
import type { Access } from "../keys/access.ts";
import { accessOf } from "../keys/guards.ts";
import { asStorageError } from "../storage-errors.ts";
import type { NewTask, Task, TaskType } from "../task.ts";
import { QueryParams } from "./query-params.ts";
import { taskAnswer } from "./task-answer.ts";

const FILTERS = [
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
const PAGING = ["limit", "from", "reverse"];
const STATUSES = ["enqueued", "processing", "succeeded", "failed", "canceled"];

/** `/tasks` and `/batches`. */
export function taskRoutes({ content }: { content: ContentService }): Hono {
  const app = new Hono();
  const { tasks } = content;

  /** Newest first; only those of indexes that the asker may know of. */
  const visible = (context: Context) => {
    const access = accessOf(context);
    return access.seesAll ? tasks.all() : tasks.all().filter((task) => isVisible(task, access));
  };

  app.get("/tasks", (context) => {
    const params = new QueryParams(context.req.url, "task", [...PAGING, ...FILTERS]);
    return context.json(paginate(params, visible(context).filter(taskFilter(params)), (task) => task.uid));
  });

  app.get("/tasks/:uid", (context) => context.json(visibleTask(context)));

  app.get("/tasks/:uid/documents", async (context) => {
    const { uid } = visibleTask(context);
    const documents = await content.documentsOf(uid).catch((error: unknown) => {
      throw asStorageError(error);
    });
    if (documents !== null) return context.body(documents, 200, { "Content-Type": "application/x-ndjson" });
    throw new ApiError(
      "task_file_not_found",
      `Task \`${uid}\` has no documents: it is done, or none were sent with it.`,
    );
  });

  /** @throws ApiError */
  function visibleTask(context: Context<object, "/tasks/:uid">): Task {
    const given = context.req.param("uid");
    if (!/^\d{1,10}$/.test(given)) {
      throw new ApiError(
        "invalid_task_uids",
        `Invalid value in parameter \`uid\`: could not parse \`${given}\` as a positive integer`,
      );
    }
    const task = tasks.get(Number(given));
    if (task && isVisible(task, accessOf(context))) return task;
    throw new ApiError("task_not_found", `Task \`${given}\` not found.`);
  }

  app.post("/tasks/cancel", (context) => {
    const { uids, originalFilter } = selectTasks(context);
    const report = reportOf("taskCancelation", { matchedTasks: uids.size, canceledTasks: 0, originalFilter });
    return taskAnswer(
      context,
      kept(() => tasks.cancel(uids, report)),
    );
  });

  app.delete("/tasks", (context) => {
    const { uids, originalFilter } = selectTasks(context);
    const report = reportOf("taskDeletion", { matchedTasks: uids.size, deletedTasks: 0, originalFilter });
    return taskAnswer(
      context,
      kept(() => tasks.forget(uids, report)),
    );
  });

  app.get("/batches", (context) => {
    const params = new QueryParams(context.req.url, "batch", [...PAGING, ...FILTERS]);
    const batches = batchesOf(visible(context).filter(taskFilter(params)), content);
    return context.json(paginate(params, batches, (batch) => batch.uid));
  });

  app.get("/batches/:uid", (context) => {
    const batch = batchesOf(visible(context), content).find(
      ({ uid }) => String(uid) === context.req.param("uid"),
    );
    if (!batch) throw new ApiError("batch_not_found", `Batch \`${context.req.param("uid")}\` not found.`);
    return context.json(batch);
  });

  function selectTasks(context: Context): { uids: Set<number>; originalFilter: string } {
    const { url } = context.req;
    const params = new QueryParams(url, "task", FILTERS);
    const { search } = new URL(url);
    if (search === "") {
      throw new ApiError(
        "missing_task_filters",
        `Query parameters to filter the tasks are missing. Available query parameters are: ${FILTERS.map((name) => `\`${name}\``).join(", ")}.`,
      );
    }
    return {
      uids: new Set(
        visible(context)
          .filter(taskFilter(params))
          .map(({ uid }) => uid),
      ),
      originalFilter: search,
    };
  }

  return app;
}

function reportOf(type: TaskType, details: Task["details"]): NewTask<ContentWork> {
  return { indexUid: null, type, details, work: { kind: "report" } };
}

/** What the disk refuses is told as such. */
function kept(run: () => Task): Task {
  try {
    return run();
  } catch (error) {
    throw asStorageError(error);
  }
}

/** A swap is of all the indexes that it names; tasks of no index are for who sees every index. */
function isVisible({ indexUid, type, details }: Task, access: Access): boolean {
  if (access.seesAll) return true;
  if (indexUid !== null) return access.sees(indexUid);
  if (type !== "indexSwap") return false;
  // As it was enqueued by POST /swap-indexes.
  const swaps = details["swaps"] as { indexes: string[] }[];
  return swaps.every(({ indexes }) => indexes.every((uid) => access.sees(uid)));
}

function taskFilter(params: QueryParams): (task: Task) => boolean {
  const statuses = params.list("statuses");
  const unknown = statuses?.find((status) => !STATUSES.includes(status));
  if (unknown !== undefined) {
    throw new ApiError(
      "invalid_task_statuses",
      `Invalid value in parameter \`statuses\`: \`${unknown}\` is not a valid task status. Available statuses are ${STATUSES.map((status) => `\`${status}\``).join(", ")}.`,
    );
  }
  const lists: [readonly (string | number)[] | null, (task: Task) => string | number | null][] = [
    [params.numbers("uids"), (task) => task.uid],
    [params.numbers("batchUids"), (task) => task.batchUid],
    [params.numbers("canceledBy"), (task) => task.canceledBy],
    [statuses, (task) => task.status],
    [params.list("types"), (task) => task.type],
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

/** `items` come newest first. */
function paginate<Item>(params: QueryParams, items: Item[], uidOf: (item: Item) => number) {
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

function batchesOf(tasks: Task[], content: ContentService) {
  const groups = new Map<number, Task[]>();
  for (const task of tasks) {
    if (task.batchUid === null) continue;
    const group = groups.get(task.batchUid);
    if (group) group.push(task);
    else groups.set(task.batchUid, [task]);
  }
  return Array.from(groups, ([uid, group]) => batchJson(uid, group, content));
}

function batchJson(uid: number, group: Task[], content: ContentService) {
  const first = group[0]!;
  const running = first.status === "processing" ? content.progress() : null;
  return {
    uid,
    progress: running && {
      steps: [{ currentStep: running.step, finished: running.finished, total: running.total }],
      percentage: (100 * running.finished) / running.total,
    },
    details: Object.assign({}, ...group.map((task) => task.details)) as Task["details"],
    stats: {
      totalNbTasks: group.length,
      status: tally(group, (task) => task.status),
      types: tally(group, (task) => task.type),
      indexUids: tally(group, (task) => task.indexUid),
    },
    duration: first.duration,
    startedAt: first.startedAt,
    finishedAt: first.finishedAt,
  };
}

function tally(tasks: Task[], keyOf: (task: Task) => string | null): { [key: string]: number } {
  const counts = new Map<string, number>();
  for (const task of tasks) {
    const key = keyOf(task);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
