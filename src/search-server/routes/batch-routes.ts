import { Hono } from "hono";
import type { ContentService } from "../changes/content-service.ts";
import { ApiError } from "../protocol/errors.ts";
import type { Task } from "../catalog/task.ts";
import { showDuration } from "../searches/request-extras.ts";
import { QueryParams } from "./query-params.ts";
import { paginate, TASK_FILTERS, TASK_PAGING, taskFilter, visibleTasks } from "./task-listing.ts";

/** `/batches`: tasks that were done together. */
export function batchRoutes({ content }: { content: ContentService }): Hono {
  const app = new Hono();

  app.get("/batches", (context) => {
    const params = new QueryParams(context.req.url, "batch", [...TASK_PAGING, ...TASK_FILTERS]);
    const batches = batchesOf(visibleTasks(content, context).filter(taskFilter(params)), content);
    return context.json(paginate(params, batches, (batch) => batch.uid));
  });

  app.get("/batches/:uid", (context) => {
    const batch = batchesOf(visibleTasks(content, context), content).find(
      ({ uid }) => String(uid) === context.req.param("uid"),
    );
    if (!batch) throw new ApiError("batch_not_found", `Batch \`${context.req.param("uid")}\` not found.`);
    return context.json(batch);
  });

  return app;
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
      progressTrace: first.duration === null ? {} : { "processing tasks": traceOf(first.duration) },
    },
    duration: first.duration,
    startedAt: first.startedAt,
    finishedAt: first.finishedAt,
  };
}

/** `PT0.042S` → `42.00ms` */
function traceOf(duration: string): string {
  return showDuration(1000 * Number(duration.slice("PT".length, -1)));
}

function tally(tasks: Task[], keyOf: (task: Task) => string | null): { [key: string]: number } {
  const counts = new Map<string, number>();
  for (const task of tasks) {
    const key = keyOf(task);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
