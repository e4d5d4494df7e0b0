/**
 * Messages, as Anthropic streams them:
 *
 *     data: {"type":"message_start","message":{"usage":{"input_tokens":812}}}
 *     data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"The cache"}}
 *     data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":40}}
 *     data: {"type":"message_stop"}
 */
import { z } from "zod";
import { MAX_TOKENS } from "../contract/limits.ts";
import { ModelError, type ModelPart, type ModelProtocol } from "./model.ts";
import { parseJson, readCode, toTokens } from "./read-event.ts";

const usage = z
  .looseObject({ input_tokens: z.number().nullish(), output_tokens: z.number().nullish() })
  .nullish();

const eventSchema = z.looseObject({
  type: z.string(),
  message: z.looseObject({ usage }).nullish(),
  delta: z
    .looseObject({
      type: z.string().nullish(),
      text: z.string().nullish(),
      stop_reason: z.string().nullish(),
    })
    .nullish(),
  usage,
  error: z.unknown().optional(),
});

export const anthropic: ModelProtocol = {
  path: "/messages",
  headers: (key) => ({
    "anthropic-version": "2023-06-01",
    ...(key !== undefined && { "x-api-key": key }),
  }),
  body: (model, { system, user }) => ({
    model,
    max_tokens: MAX_TOKENS,
    system,
    messages: [{ role: "user", content: user }],
    stream: true,
  }),
  read(data) {
    const { data: event } = eventSchema.safeParse(parseJson(data));
    if (!event) return null;
    if (event.type === "error") {
      const code = readCode(event);
      throw new ModelError(/overloaded|rate_limit/.test(code) ? "busy" : "failed", code);
    }
    const parts: ModelPart[] = [];
    if (event.type === "content_block_delta" && event.delta?.type === "text_delta" && event.delta.text)
      parts.push({ kind: "text", text: event.delta.text });
    const used = event.message?.usage ?? event.usage;
    if (used)
      parts.push({
        kind: "tokens",
        input: toTokens(used.input_tokens),
        output: toTokens(used.output_tokens),
      });
    if (event.type === "message_delta" && event.delta?.stop_reason)
      parts.push({ kind: "end", isCut: event.delta.stop_reason === "max_tokens" });
    // Events of other types have nothing for an answer; the protocol may add some.
    return parts;
  },
};
