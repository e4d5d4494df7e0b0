/** Variables of answers: the model, if the operator names one. */
import { z } from "zod";
import { address, type Variables, whole } from "#platform/environment/variables.ts";
import { TOKENS_PER_DAY } from "./contract/limits.ts";

export const answerVariables = {
  ANSWERS_URL: {
    schema: address.optional(),
    needs: ["ANSWERS_MODEL"],
    about:
      "Turns on answers with citations: the address of a model's API up to its version. The server sends it a reader's question and passages of the documentation, and nothing else. Readers see the name of its host before they ask.",
    example: "http://models.internal:8000/v1",
  },
  ANSWERS_MODEL: {
    // It becomes the value of a header.
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,100}$/, "must be a model's name of at most 100 characters, without spaces")
      .optional(),
    needs: ["ANSWERS_URL"],
    about: "The name of the model at that address. Readers see it below each answer.",
    example: "qwen3:14b",
  },
  ANSWERS_API: {
    schema: z.enum(["openai", "anthropic"], "must be openai or anthropic").optional(),
    needs: ["ANSWERS_URL"],
    default: "openai",
    about:
      "The protocol of that address: `openai` (`/chat/completions`, which most servers for models in the house speak) or `anthropic` (`/messages`).",
    example: "anthropic",
  },
  ANSWERS_API_KEY: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,1000}$/, "must be a key without spaces")
      .optional(),
    needs: ["ANSWERS_URL"],
    secrets: whole,
    about: "The key for that address. A model in the house may not need one.",
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
      "Tokens that the model may take in a day, in questions and answers together. Then the search says so until 00:00 UTC. Each server counts for itself, and anew when it starts.",
    example: "10000000",
  },
} satisfies Variables;
