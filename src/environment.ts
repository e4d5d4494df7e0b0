import { z } from "zod";

/** The process's environment, checked once at start; every problem is reported together. */
const environmentSchema = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    HOST: z.string().min(1).default("localhost"),
    /** The address that readers see, when a proxy stands in front: `https://docs.example.com`. */
    SITE_ORIGIN: z
      .url({ protocol: /^https?$/, abort: true })
      .refine((value) => new URL(value).pathname === "/", "must have no path")
      .transform((value) => new URL(value).origin)
      .optional(),
    /** Turns on the search engine's content routes; at least 16 characters. */
    SEARCH_ADMIN_KEY: z.string().min(16).optional(),
    MEILISEARCH_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** A key that may search; it stays on the server. */
    MEILISEARCH_KEY: z.string().optional(),
    /** A key that may change indexes; with it the server's index is filled at start. */
    MEILISEARCH_ADMIN_KEY: z.string().optional(),
    /** What the running site keeps: the telemetry's database, indexes made through the content routes. */
    DATA_DIR: z.string().min(1).default(".data"),
    /** Signs the operator in to `/console`; without it the console answers on this machine only. */
    CONSOLE_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
    /** A PostHog server and its project's key: what readers agreed to is forwarded to it. */
    POSTHOG_HOST: z.url({ protocol: /^https?$/ }).optional(),
    POSTHOG_KEY: z.string().min(1).optional(),
    /** A Sentry project: error reports are forwarded to it. */
    SENTRY_DSN: z.url({ protocol: /^https?$/ }).optional(),
    /** A key of Algolia's with the right to send events; needs `search.algolia` in site.config.ts. */
    ALGOLIA_INSIGHTS_KEY: z.string().min(1).optional(),
  })
  .refine((env) => (env.POSTHOG_HOST === undefined) === (env.POSTHOG_KEY === undefined), {
    path: ["POSTHOG_HOST"],
    error: "needs POSTHOG_KEY, and the other way round",
  })
  .transform((env) => ({ ...env, SITE_ORIGIN: env.SITE_ORIGIN ?? defaultOrigin(env.HOST, env.PORT) }));

export type Environment = z.infer<typeof environmentSchema>;

/** `0.0.0.0` and `::` listen everywhere but are no address that a reader could open. */
function defaultOrigin(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return new URL(`http://${name}:${port}`).origin;
}

/**
 * @throws Error that names each variable that is wrong, its value's problem and what to set.
 */
export function parseEnvironment(env: Record<string, string | undefined>): Environment {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environmentSchema.safeParse(set);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`The environment is not right: ${problems.join("; ")}.`);
}
