import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import * as z from "zod";

/** What the model is told in place of an answer, so that it can ask better. */
export class ToolError extends Error {}

export interface DocsTool {
  definition: Tool;
  /** @throws whatever `answer` throws besides a `ToolError` */
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

/** A tool that only reads. Its input is checked as its schema says, which clients are shown. */
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

/** `query: Too big: expected string to have <=512 characters`, each once; the client's own values are not repeated. */
function describe({ issues }: z.ZodError): string {
  const texts = issues.map(({ path, message }) => [...path, message.slice(0, 300)].join(": "));
  return `${[...new Set(texts)].slice(0, 5).join("; ")}.`;
}
