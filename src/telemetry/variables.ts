/** Variables of telemetry: services that get copies. */
import { z } from "zod";
import { address, type Values, type Variables, whole } from "#platform/environment/variables.ts";

const dsnShape = "must be a project's DSN, https://<key>@<host>/<project>, as its settings show it";

export const telemetryVariables = {
  POSTHOG_HOST: {
    schema: address.optional(),
    needs: ["POSTHOG_KEY"],
    about: "A PostHog server that gets a copy of the events and recordings of readers who agreed.",
    example: "https://eu.i.posthog.com",
  },
  POSTHOG_KEY: {
    schema: z.string().min(1).optional(),
    needs: ["POSTHOG_HOST"],
    secrets: whole,
    about: "The key of the project on that server.",
  },
  SENTRY_DSN: {
    schema: z
      .url({ protocol: /^https?$/, error: dsnShape, abort: true })
      .refine(
        (value) => new URL(value).username !== "" && /\/\d+\/?$/.test(new URL(value).pathname),
        dsnShape,
      )
      .optional(),
    secrets: (dsn: string) => [new URL(dsn).username],
    about: "The DSN of a Sentry project that gets a copy of error reports.",
    example: "https://key@sentry.acme.example/1",
  },
  ALGOLIA_INSIGHTS_KEY: {
    schema: z.string().min(1).optional(),
    secrets: whole,
    about:
      "With `search.algolia` in `site.config.ts`: an Algolia key that can send events. Algolia gets a copy of the clicks on search results.",
  },
} satisfies Variables;

export type TelemetryEnvironment = Values<typeof telemetryVariables>;
