/**
 * Stands in for Claude Code's model: speaks the Messages API, streamed, and follows a script instead of thinking. It
 * looks up the question with `search_docs`, reads the best hit with `read_page`, and answers from that page.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod";

const SEARCH = "mcp__millrace-docs__search_docs";
const READ = "mcp__millrace-docs__read_page";

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const contentSchema = z.union([z.string(), z.array(z.unknown())]);
const requestSchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: contentSchema })),
  tools: z.array(z.object({ name: z.string() })).default([]),
});
const usePart = z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string() });
const resultPart = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: contentSchema,
  is_error: z.boolean().optional(),
});

/** A tool's answer, as sent with the model's next request. */
export interface ToolAnswer {
  tool: string;
  text: string;
  isError: boolean;
}

export interface ModelServer {
  origin: string;
  /** Answers of the last conversation. */
  answers: () => readonly ToolAnswer[];
  close: () => Promise<void>;
}

/** @param query of its search */
export async function startModelServer(query: string): Promise<ModelServer> {
  let answers: ToolAnswer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (!request.url?.startsWith("/v1/messages?") || request.method !== "POST")
      return void response.writeHead(404, { "content-type": "application/json" }).end("{}");
    const asked = requestSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
    answers = answersIn(asked);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(eventsOf(nextBlock(asked, answers, query)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A port of TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    answers: () => answers,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

type Asked = z.infer<typeof requestSchema>;
type Block =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: { [field: string]: string } };

function answersIn({ messages }: Asked): ToolAnswer[] {
  const parts = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const tools = new Map(
    parts.flatMap((part) => {
      const { data } = usePart.safeParse(part);
      return data ? [[data.id, data.name] as const] : [];
    }),
  );
  return parts.flatMap((part) => {
    const { data } = resultPart.safeParse(part);
    if (!data) return [];
    const { content, is_error: isError = false } = data;
    const texts =
      typeof content === "string"
        ? [content]
        : content.map((each) => textPart.safeParse(each).data?.text ?? "");
    return [{ tool: tools.get(data.tool_use_id) ?? "", text: texts.join("\n"), isError }];
  });
}

function nextBlock({ tools }: Asked, answers: readonly ToolAnswer[], query: string): Block {
  const answerOf = (name: string) => answers.find(({ tool }) => tool === name)?.text;
  const use = (name: string, input: { [field: string]: string }): Block => ({
    type: "tool_use",
    id: `toolu_${answers.length}`,
    name,
    input,
  });
  // Tools that are missing from the request are fetched first.
  const isLate =
    !tools.some(({ name }) => name === SEARCH) && tools.some(({ name }) => name === "ToolSearch");
  if (isLate && answers.length === 0) return use("ToolSearch", { query: `select:${SEARCH},${READ}` });
  const found = answerOf(SEARCH);
  if (found === undefined) return use(SEARCH, { query });
  const url = (dataOf(found)?.passages?.[0]?.url ?? /^ {3}(http\S+)$/m.exec(found)?.[1]) || "none";
  const read = answerOf(READ);
  if (read === undefined) return use(READ, { page: url });
  const line = (dataOf(read)?.markdown ?? read).split("\n").find((each) => each.includes("expired")) ?? "";
  return { type: "text", text: `Exit code ${/\d+/.exec(line)?.[0] ?? "unknown"}. Source: ${url}` };
}

const dataSchema = z.object({
  passages: z.array(z.object({ url: z.string() })).optional(),
  markdown: z.string().optional(),
});

/** A client may give its model the data of an answer in place of the text; null: it is the text. */
function dataOf(answer: string): z.infer<typeof dataSchema> | null {
  try {
    return dataSchema.safeParse(JSON.parse(answer)).data ?? null;
  } catch {
    return null;
  }
}

/** https://docs.claude.com/en/api/messages-streaming */
function eventsOf(block: Block): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const isText = block.type === "text";
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "stand-in",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const events = [
    { type: "message_start", message },
    {
      type: "content_block_start",
      index: 0,
      content_block: isText ? { type: "text", text: "" } : { ...block, input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: isText
        ? { type: "text_delta", text: block.text }
        : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
    },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: isText ? "end_turn" : "tool_use", stop_sequence: null },
      usage,
    },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
