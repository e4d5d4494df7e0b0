/** A server that gets the calls of webhooks and keeps them. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { newTask, type Task } from "../catalog/task.ts";

export interface WebhookCall {
  path: string;
  headers: IncomingMessage["headers"];
  tasks: { [name: string]: unknown }[];
}

export type Respond = (response: ServerResponse, path: string) => void;

const accept: Respond = (response) => void response.writeHead(204).end();

export async function startWebhookReceiver() {
  const received: WebhookCall[] = [];
  const state = { respond: accept };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    const path = request.url ?? "";
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const lines = gunzipSync(Buffer.concat(parts)).toString().trim().split("\n");
      const tasks = lines.map((line) => JSON.parse(line) as WebhookCall["tasks"][number]);
      received.push({ path, headers: request.headers, tasks });
      state.respond(response, path);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** What it answers with; the test changes it. */
    state,
    tasksOf: () => received.flatMap(({ tasks }) => tasks),
    reset() {
      received.length = 0;
      state.respond = accept;
    },
    close: () => void server.close(),
  };
}

/** A finished task, as a webhook gets it. */
export function taskForWebhook(uid: number, details: object = {}): Task {
  return {
    uid,
    ...newTask(
      { indexUid: "a", type: "indexCreation", work: null, details: { ...details } },
      "2026-11-28T00:00:00Z",
    ),
  };
}
