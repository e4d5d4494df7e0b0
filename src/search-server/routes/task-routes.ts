import { type Context, Hono } from "hono";
import type { BlankEnv } from "hono/types";
import type { ContentService } from "../changes/content-service.ts";
import { ApiError } from "../protocol/errors.ts";
import type { ContentWork } from "../changes/content-state.ts";
import { accessOf } from "../keys/guards.ts";
import { asStorageError } from "../protocol/storage-errors.ts";
import type { NewTask, Task, TaskType } from "../catalog/task.ts";
import { QueryParams } from "./query-params.ts";
import { taskAnswer } from "./task-answer.ts";
import { isVisible, paginate, TASK_FILTERS, TASK_PAGING, taskFilter, visibleTasks } from "./task-listing.ts";

/** `/tasks`. */
export function taskRoutes({ content }: { content: ContentService }): Hono {
  const app = new Hono();
  const { tasks } = content;

  app.get("/tasks", (context) => {
    const params = new QueryParams(context.req.url, "task", [...TASK_PAGING, ...TASK_FILTERS]);
    const selected = visibleTasks(content, context).filter(taskFilter(params));
    return context.json(paginate(params, selected, (task) => task.uid));
  });

  app.get("/tasks/:uid", (context) => context.json(findTask(content, context)));

  app.get("/tasks/:uid/documents", async (context) => {
    const { uid } = findTask(content, context);
    const documents = await content.documentsOf(uid).catch((error: unknown) => {
      throw asStorageError(error);
    });
    if (documents !== null) return context.body(documents, 200, { "Content-Type": "application/x-ndjson" });
    throw new ApiError(
      "task_file_not_found",
      `Task \`${uid}\` has no documents: it is done, or none were sent with it.`,
    );
  });

  app.post("/tasks/cancel", (context) => {
    const { uids, originalFilter } = selectTasks(content, context);
    const report = reportOf("taskCancelation", { matchedTasks: uids.size, canceledTasks: 0, originalFilter });
    return taskAnswer(
      context,
      kept(() => tasks.cancel(uids, report)),
    );
  });

  app.delete("/tasks", (context) => {
    const { uids, originalFilter } = selectTasks(content, context);
    const report = reportOf("taskDeletion", { matchedTasks: uids.size, deletedTasks: 0, originalFilter });
    return taskAnswer(
      context,
      kept(() => tasks.forget(uids, report)),
    );
  });

  return app;
}

/** @throws ApiError */
function findTask({ tasks }: ContentService, context: Context<BlankEnv, "/tasks/:uid">): Task {
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

/** @throws ApiError when the query is empty, since that hardly means all tasks */
function selectTasks(
  content: ContentService,
  context: Context,
): { uids: Set<number>; originalFilter: string } {
  const { url } = context.req;
  const params = new QueryParams(url, "task", TASK_FILTERS);
  const { search } = new URL(url);
  if (search === "") {
    throw new ApiError(
      "missing_task_filters",
      `Query parameters to filter the tasks are missing. Available query parameters are: ${TASK_FILTERS.map((name) => `\`${name}\``).join(", ")}.`,
    );
  }
  const selected = visibleTasks(content, context).filter(taskFilter(params));
  return { uids: new Set(selected.map(({ uid }) => uid)), originalFilter: search };
}

function reportOf(type: TaskType, details: Task["details"]): NewTask<ContentWork> {
  return { indexUid: null, type, details, work: { kind: "report" } };
}

/** Reports a disk failure as such. */
function kept(run: () => Task): Task {
  try {
    return run();
  } catch (error) {
    throw asStorageError(error);
  }
}
