/**
 * Chat completions, as OpenAI and most servers of models in the house stream them:
 *
 *     data: {"choices":[{"delta":{"content":"The cache"},"finish_reason":null}]}
 *     data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":812,"completion_tokens":40}}
 *     data: [DONE]
 *
 * The request has only what every such server accepts.
 */
import { z } from "zod";
import { ModelError, type ModelPart, type ModelProtocol } from "./model.ts";
import { parseJson, readCode, toTokens } from "./read-event.ts";

const chunkSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z.looseObject({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() })
    .nullish(),
  error: z.unknown().optional(),
});

export const openai: ModelProtocol = {
  path: "/chat/completions",
  headers: (key) => ({ ...(key !== undefined && { authorization: `Bearer ${key}` }) }),
  body: (model, { system, user }) => ({
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    stream: true,
  }),
  read(data) {
    // `finish_reason` has already ended the answer.
    if (data.trim() === "[DONE]") return [];
    const { data: chunk } = chunkSchema.safeParse(parseJson(data));
    if (!chunk) return null;
    if (chunk.error !== undefined && chunk.error !== null) throw new ModelError("failed", readCode(chunk));
    // An event without any of these is not in this protocol.
    if (!chunk.choices && !chunk.usage) return null;
    const parts: ModelPart[] = [];
    const [choice] = chunk.choices ?? [];
    if (choice?.delta?.content) parts.push({ kind: "text", text: choice.delta.content });
    if (chunk.usage)
      parts.push({
        kind: "tokens",
        input: toTokens(chunk.usage.prompt_tokens),
        output: toTokens(chunk.usage.completion_tokens),
      });
    if (choice?.finish_reason) parts.push({ kind: "end", isCut: choice.finish_reason === "length" });
    return parts;
  },
};
