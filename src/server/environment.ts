import { z } from "zod";
import { ACCESS_LOG_MODES } from "#platform/http/access-log.ts";
import { LOG_LEVELS } from "#platform/log/log.ts";
import { parseTrustedProxies } from "#platform/http/trusted-proxies.ts";
import { accountVariables, findIncomplete, passwordsOf } from "./account-variables.ts";
import { buildsVariables } from "./builds-variables.ts";
import { cacheVariables } from "./cache-variables.ts";
import { registryVariables } from "./registry-variables.ts";

const dsnShape = "must be a project's DSN, https://<key>@<host>/<project>, as its settings show it";

/** A service's address. Keys have their own variables, because addresses end up in logs. */
const address = z
  .url({
    protocol: /^https?$/,
    error: "must be an address that starts with http:// or https://",
    abort: true,
  })
  .refine((value) => !/[?#]/.test(value) && new URL(value).username === "", {
    error: "must have no user name, ? or #",
  });

const secret = z.string().min(16, "must have at least 16 characters (openssl rand -hex 16 creates 32)");

/** The process's environment, checked once at start; every problem is reported together. */
const environmentSchema = z
  .object({
    PORT: z
      .string()
      .regex(/^\d{1,5}$/, "must be a whole number from 0 to 65535")
      .transform(Number)
      .refine((port) => port <= 65_535, "must be a whole number from 0 to 65535")
      .default(3000),
    HOST: z
      .string()
      .refine((host) => URL.canParse(`http://${nameOf(host)}`) && !/[\s/?#@]/.test(host), {
        error: "must be a name or an address of this machine, such as localhost or 0.0.0.0, without a port",
      })
      .default("localhost"),
    /**
     * Path of a certificate with its chain, as PEM: with it the port speaks only TLS. Its private key is in the same file, or
     * in that of `TLS_KEY`.
     */
    TLS_CERT: z.string().optional(),
    TLS_KEY: z.string().optional(),
    /** The address that readers see when there is a proxy in front: `https://docs.example.com`. */
    SITE_ORIGIN: address
      .refine((value) => new URL(value).pathname === "/", "must have no path")
      .transform((value) => new URL(value).origin)
      .optional(),
    /** The operator's own proxies, which are believed about a reader's address: `loopback, 10.0.0.0/8`. */
    TRUSTED_PROXIES: z
      .string()
      .default("")
      .transform((value, context) => {
        try {
          return parseTrustedProxies(value);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          context.addIssue(
            `must be addresses, networks, loopback or private, separated by commas: ${reason}`,
          );
          return z.NEVER;
        }
      }),
    /** Multiplies how much one client may ask for (`src/server/limits.ts`); 0 removes the limits. */
    RATE_LIMIT_FACTOR: z
      .string()
      .regex(/^\d{1,4}(?:\.\d{1,4})?$/, "must be a number such as 2 or 0.5; 0 removes the limits")
      .transform(Number)
      .default(1),
    /** The log has everything from this level up. */
    LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
    /**
     * `private`: no address and no path of a page that was read; `full`: both, the address shortened; `off`:
     * no line.
     */
    ACCESS_LOG: z.enum(ACCESS_LOG_MODES, `must be one of ${ACCESS_LOG_MODES.join(", ")}`).default("private"),
    /** Opens `/metrics` to clients that send it; without it the address does not exist. */
    METRICS_TOKEN: secret.optional(),
    /**
     * Turns on the search engine's content routes and is the master key of its API keys; at least 16
     * characters.
     */
    SEARCH_ADMIN_KEY: secret.optional(),
    MEILISEARCH_URL: address.optional(),
    /** A key that may search; it stays on the server. */
    MEILISEARCH_KEY: z.string().optional(),
    /** A key that may change indexes; with it the server's index is filled at start. */
    MEILISEARCH_ADMIN_KEY: z.string().optional(),
    /**
     * Where the running site keeps its data: the telemetry database, indexes made through the content routes.
     */
    DATA_DIR: z.string().trim().min(1, "must be a folder").default(".data"),
    /** Of former releases. */
    CONSOLE_TOKEN: z
      .undefined(
        "is no longer used, so remove it: owners sign in to the console, and `npm start -- owner-link` prints a link",
      )
      .optional(),
    ...accountVariables,
    ...cacheVariables,
    ...registryVariables,
    ...buildsVariables,
    /** A PostHog server and its project's key: events that readers agreed to are forwarded to it. */
    POSTHOG_HOST: address.optional(),
    POSTHOG_KEY: z.string().min(1).optional(),
    /** A Sentry project: error reports are forwarded to it. */
    SENTRY_DSN: z
      .url({ protocol: /^https?$/, error: dsnShape, abort: true })
      .refine(
        (value) => new URL(value).username !== "" && /\/\d+\/?$/.test(new URL(value).pathname),
        dsnShape,
      )
      .optional(),
    /** An Algolia key with the right to send events; needs `search.algolia` in site.config.ts. */
    ALGOLIA_INSIGHTS_KEY: z.string().min(1).optional(),
  })
  .refine((env) => (env.POSTHOG_HOST === undefined) === (env.POSTHOG_KEY === undefined), {
    path: ["POSTHOG_HOST"],
    error: "must be set together with POSTHOG_KEY",
  })
  .refine((env) => env.TLS_KEY === undefined || env.TLS_CERT !== undefined, {
    path: ["TLS_KEY"],
    error: "needs TLS_CERT, the file of its certificate",
  })
  .superRefine((env, context) => {
    const problem = findIncomplete(env);
    if (problem) context.addIssue({ code: "custom", path: [problem.path], message: problem.message });
  })
  .transform((env) => ({ ...env, SITE_ORIGIN: env.SITE_ORIGIN ?? defaultOrigin(env) }));

export type Environment = z.infer<typeof environmentSchema>;

/** `0.0.0.0` and `::` listen everywhere but are not addresses that a reader could open. */
function defaultOrigin({
  HOST,
  PORT,
  TLS_CERT,
}: {
  HOST: string;
  PORT: number;
  TLS_CERT?: string | undefined;
}): string {
  const name = HOST === "0.0.0.0" || HOST === "::" ? "localhost" : nameOf(HOST);
  return new URL(`${TLS_CERT === undefined ? "http" : "https"}://${name}:${PORT}`).origin;
}

/** As written in an address. */
function nameOf(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * @throws Error that names each wrong variable, what is wrong with its value and what to set.
 */
export function parseEnvironment(env: Record<string, string | undefined>): Environment {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environmentSchema.safeParse(set);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`The environment is invalid: ${problems.join("; ")}. README.md describes each variable.`);
}

/** What must never be written anywhere: keys and tokens, including those within an address. */
export function secretsOf(env: Environment): string[] {
  const names = [
    "SEARCH_ADMIN_KEY",
    "MEILISEARCH_KEY",
    "MEILISEARCH_ADMIN_KEY",
    "METRICS_TOKEN",
    "POSTHOG_KEY",
    "ALGOLIA_INSIGHTS_KEY",
    "MILLRACE_OWNER_TOKEN",
    "MILLRACE_OIDC_CLIENT_SECRET",
    "MILLRACE_GITHUB_CLIENT_SECRET",
  ] as const;
  const dsnKey = env.SENTRY_DSN === undefined ? undefined : new URL(env.SENTRY_DSN).username;
  const key = env.MILLRACE_SECRET_KEY && Buffer.from(env.MILLRACE_SECRET_KEY);
  const encoded = key && [key.toString("base64"), key.toString("base64url")];
  const passwords = [env.MILLRACE_DATABASE_URL, env.MILLRACE_SMTP_URL].flatMap(passwordsOf);
  return [...names.map((name) => env[name]), dsnKey, ...(encoded ?? []), ...passwords].filter(
    (value) => value !== undefined,
  );
}
