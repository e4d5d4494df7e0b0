/** For tests: a model's server on a real port. It records requests and sends what the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelRequest {
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
}

export interface FakeModel {
  url: string;
  requests: ModelRequest[];
  /** Resolves once the client of the next request has left before the end. */
  left: Promise<void>;
  /** Clients that have left before the end. */
  leavers: () => number;
  /** Answers all further requests. */
  answer: (respond: (response: ServerResponse) => void) => void;
  close: () => void;
}

export async function openFakeModel(): Promise<FakeModel> {
  let respond: (response: ServerResponse) => void = (response) => void response.writeHead(500).end();
  const requests: ModelRequest[] = [];
  const { promise: left, resolve: hasLeft } = Promise.withResolvers<void>();
  let leavers = 0;
  const server = createServer((request, response) => {
    response.on("close", () => {
      if (response.writableFinished) return;
      leavers++;
      hasLeft();
    });
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      requests.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) as unknown });
      respond(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A port of TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    left,
    leavers: () => leavers,
    answer: (next) => void (respond = next),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const STREAM = { "content-type": "text/event-stream; charset=utf-8" };

/** The events of a text, in the wire format of each protocol. @param end why the model stopped; null: it did not */
export function streamOf(
  api: "openai" | "anthropic",
  texts: readonly string[],
  end: string | null,
): string[] {
  const line = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
  if (api === "openai") {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      line({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason }],
      });
    return [
      chunk({ role: "assistant", content: "" }),
      ...texts.map((content) => chunk({ content })),
      ...(end === null ? [] : [chunk({}, end)]),
      ...(end === null
        ? []
        : [line({ choices: [], usage: { prompt_tokens: 800, completion_tokens: 40 } }), "data: [DONE]\n\n"]),
    ];
  }
  const event = (type: string, more: object) => `event: ${type}\n${line({ type, ...more })}`;
  return [
    event("message_start", {
      message: { role: "assistant", usage: { input_tokens: 800, output_tokens: 1 } },
    }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    event("ping", {}),
    ...texts.map((text) => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } })),
    ...(end === null
      ? []
      : [
          event("content_block_stop", { index: 0 }),
          event("message_delta", { delta: { stop_reason: end }, usage: { output_tokens: 40 } }),
          event("message_stop", {}),
        ]),
  ];
}

export const sendStream =
  (events: readonly string[]) =>
  (response: ServerResponse): void => {
    response.writeHead(200, STREAM);
    for (const event of events) response.write(event);
    response.end();
  };
