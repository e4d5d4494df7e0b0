import { createSearchRoutes } from "../routes.ts";
import { openContentService } from "../changes/content-service.ts";
import { PUBLIC_INDEXES, wireStore } from "./documents.ts";
import { type Serve, startTestServer } from "./server.ts";

export interface TestSession {
  url: string;
  adminKey: string;
  close: () => Promise<void>;
}

/** A running server with the recorded documents and the admin routes, all in memory. */
export async function startTestSession(serve: Serve): Promise<TestSession> {
  const adminKey = "an-admin-key-for-tests";
  const store = wireStore();
  const content = await openContentService({ store, dataDir: null });
  const server = await startTestServer(
    serve,
    createSearchRoutes({ publicIndexes: PUBLIC_INDEXES, store, content, adminKey }),
  );
  return {
    url: server.url,
    adminKey,
    async close() {
      await server.close();
      await content.close();
    },
  };
}

interface FinishedTask {
  status: string;
  error: { message: string } | null;
}

/** Waits for a task of the official client. @throws if it did not succeed */
export async function succeeds<Task extends FinishedTask>(enqueued: {
  waitTask: () => Promise<Task>;
}): Promise<Task> {
  const task = await enqueued.waitTask();
  if (task.status !== "succeeded") throw new Error(`The task ${task.status}: ${task.error?.message}`);
  return task;
}

/** The protocol's code in the error with which the official client rejects. @throws if it does not reject */
export async function codeOf(call: Promise<unknown>): Promise<unknown> {
  const answer = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(answer instanceof Error)) throw new Error("The call was answered, but an error was expected.");
  const { cause } = answer;
  return cause !== null && typeof cause === "object" && "code" in cause ? cause.code : answer;
}
