/** For tests: reads a stream of events as a browser does. */
import { queryObjects } from "node:v8";
import type { Hono } from "hono";
import { EventStream } from "../stream/event-stream.ts";
import type { VisibleEvent } from "../events/visible-event.ts";

export interface TestMessage {
  event: string;
  id: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it
  data: any;
}

export interface TestReader {
  status: number;
  headers: Headers;
  /** All messages until now. */
  messages: TestMessage[];
  /** The cursor that a browser would send when it reconnects. */
  readonly last: string;
  readonly changes: VisibleEvent[];
  /** Resolves once a message has arrived, also if it already had. */
  until: (isThere: (message: TestMessage) => boolean) => Promise<TestMessage>;
  /** Resolves when the server has ended it; rejects when it was cut. */
  ended: Promise<void>;
  leave: () => Promise<void>;
}

/** Streams in memory after a garbage collection. */
export const countKeptStreams = () => queryObjects(EventStream, { format: "count" });

export async function readEvents(
  app: Hono,
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<TestReader> {
  const answer = await app.request(`https://build.acme.example${address}`, { headers });
  const messages: TestMessage[] = [];
  const waiting = new Set<() => void>();
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();

  async function read(): Promise<void> {
    let text = "";
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return;
      text += decoder.decode(next.value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      messages.push(...blocks.map(parseMessage));
      for (const look of waiting) look();
    }
  }
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const ended = isStream ? read() : Promise.resolve();
  ended.catch(() => {});
  return {
    status: answer.status,
    headers: answer.headers,
    messages,
    get last() {
      return lastOf(messages);
    },
    get changes() {
      return messages.filter(({ event }) => event === "change").map(({ data }) => data as VisibleEvent);
    },
    until: (isThere) =>
      new Promise((resolve) => {
        const look = () => {
          const found = messages.find(isThere);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    ended,
    leave: async () => void (await reader?.cancel()),
  };
}

function lastOf(messages: readonly TestMessage[]): string {
  const message = messages.findLast(({ id, data }) => id !== null || data.last !== undefined);
  return message?.id ?? (message?.data.last as string | undefined) ?? "";
}

function parseMessage(block: string): TestMessage {
  const field = (name: string) =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return { event: field("event") ?? "", id: field("id") ?? null, data: JSON.parse(field("data") ?? "null") };
}
