/** Indexes of the attacker's own, through the content routes. */
import { ADMIN_KEY } from "./server-process.ts";
import { type Answer, json, send, type Sent } from "./requests.ts";

/** How often an awaited task is requested. */
const TASK_TRIES = 2000;
const PAUSE_MS = 5;

/** A server, in any process. */
export interface Addressed {
  port: number;
}

export const admin = { authorization: `Bearer ${ADMIN_KEY}` };

export interface Task {
  taskUid: number;
  status: string;
  error?: { code: string; message: string } | null;
}

/** The JSON of an answer; an empty object for anything else. */
export function read<Shape>(answer: Answer): Partial<Shape> {
  try {
    return JSON.parse(answer.body.toString()) as Partial<Shape>;
  } catch {
    return {};
  }
}

export function ask(server: Addressed, path: string, more: Partial<Sent> = {}): Promise<Answer> {
  return send(server.port, { path, ...more, headers: { ...admin, ...more.headers } });
}

export function addDocuments(
  server: Addressed,
  uid: string,
  documents: object[],
  more: Partial<Sent> = {},
): Promise<Answer> {
  return send(
    server.port,
    json(`/search/indexes/${uid}/documents?primaryKey=id`, documents, { ...more, headers: admin }),
  );
}

export function numbered(count: number, text: string, first = 0): object[] {
  return Array.from({ length: count }, (_, at) => ({ id: first + at, title: `${text} ${at}`, text }));
}

/** Waits until the task is done; undefined when the server does not know it or is gone. */
export async function finish(server: Addressed, taskUid: number | undefined): Promise<Task | undefined> {
  for (let at = 0; at < TASK_TRIES; at++) {
    const answer = await ask(server, `/search/tasks/${taskUid}`);
    if (answer.status !== 200) return undefined;
    const task = read<Task>(answer);
    if (task.status !== "enqueued" && task.status !== "processing") return task as Task;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return undefined;
}

/** @returns the documents of an index; null when it is not served */
export async function countDocuments(server: Addressed, uid: string): Promise<number | null> {
  const answer = await ask(server, `/search/indexes/${uid}/documents?limit=0`);
  return answer.status === 200 ? (read<{ total: number }>(answer).total ?? null) : null;
}
