/** Variables of the search. */
import { z } from "zod";
import {
  address,
  list,
  secret,
  type Values,
  type Variables,
  whole,
} from "#platform/environment/variables.ts";

export const searchVariables = {
  SEARCH_ADMIN_KEY: {
    schema: secret.optional(),
    secrets: whole,
    about:
      "Turns on the search engine's routes for content below `/search`, as the master key of its API keys. At least 16 characters.",
  },
  SEARCH_WEBHOOK_ORIGINS: {
    schema: list
      .refine((origins) => origins.every(isOrigin), {
        error: "must be origins separated by commas, such as https://ci.internal:8443, at most 100",
      })
      .refine((origins) => origins.length <= 100, {
        error: "must be origins separated by commas, such as https://ci.internal:8443, at most 100",
      })
      .optional(),
    about:
      "Origins that webhooks of the search engine may call although they are on a private network or use `http:`. Webhooks call all other origins only over HTTPS and at public addresses.",
    example: "https://ci.internal:8443",
    needs: ["SEARCH_ADMIN_KEY"],
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

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
}

export type SearchEnvironment = Values<typeof searchVariables>;
