import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import * as z from "zod";

/** A message for the model in place of an answer, so that it can improve its call. */
export class ToolError extends Error {}

export interface DocsTool {
  definition: Tool;
  /** @throws every error of `answer` except a `ToolError` */
  call: (input: unknown) => Promise<CallToolResult>;
}

export interface ToolAnswer<Output> {
  /** For models: Markdown. */
  text: string;
  /** The same for programs. */
  data: Output;
}

interface ToolParts<Input, Output> {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject & z.ZodType<Input>;
  output: z.ZodObject & z.ZodType<Output>;
  /** @throws ToolError */
  answer: (input: Input) => ToolAnswer<Output> | Promise<ToolAnswer<Output>>;
}

/** A read-only tool. Its input is checked against its schema; clients can see that and the schema of its answers. */
export function createTool<Input, Output extends { [name: string]: unknown }>({
  name,
  title,
  description,
  input,
  output,
  answer,
}: ToolParts<Input, Output>): DocsTool {
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: schemaOf(input, "input"),
      outputSchema: schemaOf(output, "output"),
      annotations: { title, readOnlyHint: true, openWorldHint: false },
    },
    async call(given) {
      const { data, error } = input.safeParse(given ?? {});
      if (error) return refusal(`${name} cannot be called with this input: ${describe(error)}`);
      try {
        const { text, data: structuredContent } = await answer(data);
        return { content: [{ type: "text", text }], structuredContent };
      } catch (problem) {
        if (problem instanceof ToolError) return refusal(problem.message);
        throw problem;
      }
    },
  };
}

function schemaOf(schema: z.ZodObject, io: "input" | "output") {
  const { type: _, $schema: __, ...json } = z.toJSONSchema(schema, { io });
  return { ...(json as object), type: "object" as const };
}

const refusal = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/** `query: Too big: expected string to have <=512 characters`, each once; values of the client are not repeated. */
function describe({ issues }: z.ZodError): string {
  const texts = issues.map(({ path, message }) => [...path, message.slice(0, 300)].join(": "));
  return `${[...new Set(texts)].slice(0, 5).join("; ")}.`;
}
