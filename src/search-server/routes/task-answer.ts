import type { Context } from "hono";
import type { Task } from "../catalog/task.ts";

/** Every write is answered with its task: 202, and where to get the outcome. */
export function taskAnswer(context: Context, task: Task): Response {
  const { uid: taskUid, indexUid, status, type, enqueuedAt } = task;
  return context.json({ taskUid, indexUid, status, type, enqueuedAt }, 202);
}
