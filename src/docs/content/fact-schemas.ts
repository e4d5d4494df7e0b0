/**
 * Facts: what pages quote instead of repeating. One YAML file per subject in `content/facts/`; pages show them with
 * `<FlagTable>`, `<LimitTable>`, `<Fact id>` and so on. The examples below are whole, valid files.
 *
 * Texts (`summary`, `description`, `meaning`, …) are one line of inline Markdown: `code`, **strong** and
 * [links](/docs/cache/overview) work. `{{origin}}` and `{{host}}` work everywhere.
 */
import * as z from "zod";

const text = z.string().trim().min(1);
/** Id of the part in `parts.yaml` that must run for this to work. */
const part = z.string().regex(/^[a-z-]+$/, "write the id of a part in parts.yaml");

const flagSchema = z.strictObject({
  /** With its dashes: `--project`. */
  name: z.string().regex(/^--[a-z][a-z0-9-]*$/, "a flag is written with its dashes: --project"),
  /** One letter: `-p`. */
  short: z
    .string()
    .regex(/^-[A-Za-z]$/)
    .optional(),
  /** What follows it: `<id>`, `table|json|csv`. Absent for a switch. */
  value: text.optional(),
  default: text.optional(),
  /** The environment variable that sets it. */
  env: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/)
    .optional(),
  required: z.boolean().default(false),
  repeatable: z.boolean().default(false),
  description: text,
});

/**
 * `content/facts/parts.yaml`: what of the service runs, in the order in which its parts come. The only place that says so.
 *
 * ```yaml
 * parts:
 *   - id: cache
 *     name: Cache
 *     state: preview # preview | available
 *     page: /docs/cache/overview # shows the state
 *     summary: A remote build cache for eight build tools.
 * ```
 */
export const partFactsSchema = z.strictObject({
  parts: z.array(
    z.strictObject({
      id: part,
      name: text,
      state: z.enum(["available", "preview"]),
      page: z.string().startsWith("/docs"),
      summary: text,
    }),
  ),
});

/**
 * `content/facts/cli.yaml`
 *
 * ```yaml
 * globalFlags:
 *   - name: --output
 *     short: -o
 *     value: table|json|csv
 *     default: table
 *     description: How lists are printed.
 * commands:
 *   - name: build # the words after `millrace`; a subcommand has two: `builds list`
 *     group: Builds # heading in the command table
 *     summary: Build an image on a warm builder.
 *     synopsis: millrace build [flags] <context>
 *     passthrough: docker buildx build # every flag of that command is accepted as well
 *     part: container-builds # of parts.yaml: what must run for it to work
 *     arguments:
 *       - name: context
 *         required: true
 *         description: The build context, a folder or a git address.
 *     flags:
 *       - name: --project
 *         value: <id>
 *         env: MILLRACE_PROJECT
 *         description: The project whose builders and layer cache the build uses.
 *       - name: --save
 *         description: Keep the image in the registry.
 *     examples:
 *       - run: millrace build --save .
 *         description: Build the current folder and keep the image.
 * exitCodes:
 *   - code: 0
 *     meaning: Done.
 * ```
 */
export const cliFactsSchema = z.strictObject({
  globalFlags: z.array(flagSchema).default([]),
  commands: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)*$/, "write the words after `millrace`"),
      aliases: z.array(text).default([]),
      group: text.default("Commands"),
      summary: text,
      synopsis: text,
      passthrough: text.optional(),
      part,
      arguments: z
        .array(z.strictObject({ name: text, required: z.boolean().default(false), description: text }))
        .default([]),
      flags: z.array(flagSchema).default([]),
      examples: z.array(z.strictObject({ run: text, description: text.optional() })).default([]),
    }),
  ),
  exitCodes: z.array(z.strictObject({ code: z.int().min(0).max(255), meaning: text })).default([]),
});

const fieldSchema = z.strictObject({
  /** A dotted path for a nested field: `builder.address`. */
  name: text,
  type: text,
  required: z.boolean().default(false),
  description: text,
});

/**
 * `content/facts/api.yaml`
 *
 * ```yaml
 * services:
 *   - name: BuildService
 *     summary: Start, follow and cancel builds.
 *     part: container-builds
 *     methods:
 *       - name: CreateBuild
 *         summary: Register a build before it runs.
 *         tokens: [user, organization, project, job] # who may call it
 *         idempotent: true # takes Idempotency-Key
 *         streaming: false # answers with a stream of messages
 *         request:
 *           - name: project_id
 *             type: string
 *             required: true
 *             description: The project, `prj_…`.
 *         response:
 *           - name: build
 *             type: Build
 *             description: The new build, in state `queued`.
 *         errors: [not_found, permission_denied]
 * errors:
 *   - code: not_found
 *     http: 404
 *     meaning: No such object, or the token may not see it.
 *     fix: Check the id and the token's organization.
 * ```
 */
export const apiFactsSchema = z.strictObject({
  services: z.array(
    z.strictObject({
      name: z.string().regex(/^[A-Z]\w*Service$/),
      summary: text,
      part,
      methods: z.array(
        z.strictObject({
          name: z.string().regex(/^[A-Z]\w*$/),
          summary: text,
          tokens: z.array(z.enum(["user", "organization", "project", "job"])).default([]),
          idempotent: z.boolean().default(false),
          streaming: z.boolean().default(false),
          request: z.array(fieldSchema).default([]),
          response: z.array(fieldSchema).default([]),
          errors: z.array(text).default([]),
        }),
      ),
    }),
  ),
  errors: z
    .array(
      z.strictObject({ code: text, http: z.int().min(400).max(599), meaning: text, fix: text.optional() }),
    )
    .default([]),
});

/**
 * `content/facts/limits.yaml`: quotas, sizes, retention. `<Fact id="cache.quota" />` prints `value`.
 *
 * ```yaml
 * limits:
 *   - id: cache.quota
 *     group: Cache # <LimitTable group="Cache" /> shows this group only
 *     name: Size of a cache namespace
 *     value: 50 GB
 *     description: Above it the least recently used entries go first.
 *     setting: MILLRACE_CACHE_QUOTA # who runs the server may change it; leave out when nobody may
 * ```
 */
export const limitFactsSchema = z.strictObject({
  limits: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, "lower case words joined with dots and dashes"),
      group: text,
      name: text,
      value: z.union([text, z.number().transform(String)]),
      description: text.optional(),
      setting: text.optional(),
    }),
  ),
});

/**
 * `content/facts/runners.yaml`
 *
 * ```yaml
 * runners:
 *   - label: millrace-ubuntu-24.04
 *     aliases: [millrace-ubuntu-latest]
 *     image: Ubuntu 24.04
 *     architecture: amd64 # amd64 | arm64
 *     cpus: 2
 *     memory: 8 GB
 *     disk: 64 GB # optional
 * ```
 */
export const runnerFactsSchema = z.strictObject({
  runners: z.array(
    z.strictObject({
      label: text,
      aliases: z.array(text).default([]),
      image: text,
      architecture: z.enum(["amd64", "arm64"]),
      cpus: z.int().positive(),
      memory: text,
      disk: text.optional(),
      description: text.optional(),
    }),
  ),
});

/**
 * `content/facts/cache.yaml`
 *
 * ```yaml
 * tools:
 *   - id: turbo
 *     name: Turborepo
 *     page: /docs/cache/reference/turbo
 *     protocol: Vercel remote cache API
 *     address: "`TURBO_API={{origin}}/cache/turbo`"
 *     credentials: "`TURBO_TOKEN`, and `TURBO_TEAM=<org>`"
 *     part: cache
 * ```
 */
export const cacheFactsSchema = z.strictObject({
  tools: z.array(
    z.strictObject({
      id: text,
      name: text,
      page: z.string().startsWith("/docs/"),
      protocol: text,
      address: text,
      credentials: text,
      /** The oldest version of the tool that can use the cache. */
      since: text.optional(),
      part,
    }),
  ),
});

/**
 * `content/facts/env.yaml`
 *
 * ```yaml
 * variables:
 *   - name: MILLRACE_TOKEN
 *     usedBy: cli # cli | server | runner
 *     default: none # optional
 *     example: mr_user_… # optional
 *     description: The token that commands use when nobody is logged in.
 * ```
 */
export const envFactsSchema = z.strictObject({
  variables: z.array(
    z.strictObject({
      name: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
      usedBy: z.enum(["cli", "server", "runner"]),
      default: text.optional(),
      example: text.optional(),
      description: text,
      /** Absent where the variable works without any part of the service. */
      part: part.optional(),
    }),
  ),
});

/**
 * `content/facts/providers.yaml`: the CI and build providers that have a page.
 *
 * ```yaml
 * providers:
 *   - id: github-actions
 *     name: GitHub Actions
 *     page: /docs/container-builds/reference/github-actions
 *     oidc: true # its OIDC token can be exchanged by a trust relationship
 *     issuer: https://token.actions.githubusercontent.com # with oidc
 *     credentials: A trust relationship, no stored secret.
 *     setup: "`millrace/setup-action@v1`"
 *     part: container-builds
 * ```
 */
export const providerFactsSchema = z.strictObject({
  providers: z.array(
    z.strictObject({
      id: text,
      name: text,
      page: z.string().startsWith("/docs/"),
      oidc: z.boolean(),
      issuer: text.optional(),
      credentials: text,
      setup: text.optional(),
      part,
    }),
  ),
});

export type Flag = z.infer<typeof flagSchema>;
export type Command = z.infer<typeof cliFactsSchema>["commands"][number];
