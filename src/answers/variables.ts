/** Variables of answers: the model, if the operator names one. */
import { z } from "zod";
import { address, type Variables, whole } from "#platform/environment/variables.ts";
import { TOKENS_PER_DAY } from "./contract/limits.ts";

export const answerVariables = {
  ANSWERS_URL: {
    schema: address.optional(),
    needs: ["ANSWERS_MODEL"],
    about: "Turns on answers with citations: the address of a model's API up to its version.",
    example: "http://models.internal:8000/v1",
  },
  ANSWERS_MODEL: {
    // It becomes the value of a header.
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,100}$/, "must be a model's name of at most 100 characters, without spaces")
      .optional(),
    needs: ["ANSWERS_URL"],
    about: "The name of the model at that address. Readers see it.",
    example: "qwen3:14b",
  },
  ANSWERS_API: {
    schema: z.enum(["openai", "anthropic"], "must be openai or anthropic").optional(),
    needs: ["ANSWERS_URL"],
    default: "openai",
    about: "The protocol of that address: `openai` (`/chat/completions`) or `anthropic` (`/messages`).",
    example: "anthropic",
  },
  ANSWERS_API_KEY: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,1000}$/, "must be a key without spaces")
      .optional(),
    needs: ["ANSWERS_URL"],
    secrets: whole,
    about: "The key for that address.",
  },
  ANSWERS_TOKENS_PER_DAY: {
    schema: z
      .string()
      .regex(/^[1-9]\d{4,11}$/, "must be a whole number from 10000 to 999999999999")
      .transform(Number)
      .optional(),
    needs: ["ANSWERS_URL"],
    default: String(TOKENS_PER_DAY),
    about:
      "Tokens that the model may take in a day. Each server counts for itself, from 00:00 UTC and from its start.",
    example: "10000000",
  },
} satisfies Variables;
