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
    /** Where indexes made through the content routes are kept. */
    DATA_DIR: z.string().min(1).default(".data"),
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
