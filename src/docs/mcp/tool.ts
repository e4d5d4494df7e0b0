import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import * as z from "zod";

/** A message for the model in place of an answer, so that it can improve its call. */
export class ToolError extends Error {}

export interface DocsTool {
  definition: Tool;
  /** @throws every error of `answer` except a `ToolError` */
  call: (input: unknown) => Promise<CallToolResult>;
}

interface ToolParts<Input> {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject & z.ZodType<Input>;
  /** The answer's Markdown. @throws ToolError */
  answer: (input: Input) => string | Promise<string>;
}

/** A read-only tool. Its input is checked against its schema, which clients can see. */
export function createTool<Input>({ name, title, description, input, answer }: ToolParts<Input>): DocsTool {
  const { type: _, $schema: __, ...schema } = z.toJSONSchema(input, { io: "input" });
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: { ...(schema as object), type: "object" },
      annotations: { title, readOnlyHint: true, openWorldHint: false },
    },
    async call(given) {
      const { data, error } = input.safeParse(given ?? {});
      if (error) return refusal(`${name} cannot be called with this input: ${describe(error)}`);
      try {
        return { content: [{ type: "text", text: await answer(data) }] };
      } catch (problem) {
        if (problem instanceof ToolError) return refusal(problem.message);
        throw problem;
      }
    },
  };
}

const refusal = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/** `query: Too big: expected string to have <=512 characters`, each once; values of the client are not repeated. */
function describe({ issues }: z.ZodError): string {
  const texts = issues.map(({ path, message }) => [...path, message.slice(0, 300)].join(": "));
  return `${[...new Set(texts)].slice(0, 5).join("; ")}.`;
}
