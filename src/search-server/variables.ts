/** Variables of the search. */
import { z } from "zod";
import { address, secret, type Values, type Variables, whole } from "#platform/environment/variables.ts";

export const searchVariables = {
  SEARCH_ADMIN_KEY: {
    schema: secret.optional(),
    secrets: whole,
    about:
      "Turns on the search engine's routes for content below `/search`, as the master key of its API keys. At least 16 characters.",
  },
  MEILISEARCH_URL: {
    schema: address.optional(),
    about:
      'With `search.provider: "meilisearch"` in `site.config.ts`: the address of the Meilisearch server.',
    example: "https://search.acme.example",
  },
  MEILISEARCH_KEY: {
    schema: z.string().optional(),
    secrets: whole,
    about: "A Meilisearch key that can search. It stays on the server.",
  },
  MEILISEARCH_ADMIN_KEY: {
    schema: z.string().optional(),
    secrets: whole,
    about: "A Meilisearch key that can change indexes. With it, the server fills its index at start.",
  },
} satisfies Variables;

export type SearchEnvironment = Values<typeof searchVariables>;
