/** The facts of whole reference pages: commands of the CLI, methods of the API (see fact-schemas.ts). */
import * as z from "zod";
import { part, text } from "./fact-fields.ts";

const flagSchema = z.strictObject({
  /** With its dashes: `--project`. */
  name: z.string().regex(/^--[a-z][a-z0-9-]*$/, "a flag is written with its dashes: --project"),
  /** One letter: `-p`. */
  short: z
    .string()
    .regex(/^-[A-Za-z]$/)
    .optional(),
  /** The flag's value: `<id>`, `table|json|csv`. Absent for a switch. */
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

const installSchema = z.strictObject({
  /** Whether npm's registry has the package `millrace`. Until it does, the check "install" forbids its name. */
  published: z.boolean(),
  archive: text,
  npm: text,
  pnpm: text,
  yarn: text,
  npx: text,
  script: text,
  powershell: text,
});

export type InstallFacts = z.infer<typeof installSchema>;

/**
 * `content/facts/cli.yaml`
 *
 * ```yaml
 * install: # pages write {{cli:npm}}
 *   published: false
 *   archive: "{{origin}}/cli/millrace.tgz"
 *   npm: npm install -g {{origin}}/cli/millrace.tgz
 *   pnpm: pnpm add -g {{origin}}/cli/millrace.tgz
 *   yarn: yarn global add {{origin}}/cli/millrace.tgz
 *   npx: npx -y --package {{origin}}/cli/millrace.tgz millrace
 *   script: curl -fsSL {{origin}}/install.sh | sh
 *   powershell: irm {{origin}}/install.ps1 | iex
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
 *     part: container-builds # the part of parts.yaml that must run for it to work
 *     without: { flag: --tool, part: registry } # the part that must run if this flag is absent
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
  install: installSchema,
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
      without: z.strictObject({ flag: text, part }).optional(),
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
 * `content/facts/api.yaml`, which is generated from `proto/`
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
});

/**
 * `content/facts/api-errors.yaml`
 *
 * ```yaml
 * errors:
 *   - code: not_found
 *     http: 404
 *     meaning: No such object, or the token may not see it
 *     retry: "no"
 * ```
 */
export const apiErrorFactsSchema = z.strictObject({
  errors: z
    .array(z.strictObject({ code: text, http: z.int().min(400).max(599), meaning: text, retry: text }))
    .default([]),
});

export type Flag = z.infer<typeof flagSchema>;
export type Command = z.infer<typeof cliFactsSchema>["commands"][number];

/**
 * `content/facts/search-routes.yaml`, which `npm run generate` makes
 *
 * ```yaml
 * routes:
 *   - method: GET # ALL: every method
 *     path: /indexes/:uid/search # below /search
 *     right: search # of the key; absent: no key is needed, or the indexes that the body names decide
 *   - method: ALL
 *     path: /chats
 *     right: chats.get
 *     leftOut: Chat completions # the feature that is refused by name
 * ```
 */
export const searchRouteFactsSchema = z.strictObject({
  routes: z.array(
    z.strictObject({
      method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "ALL"]),
      path: z.string().startsWith("/"),
      right: text.optional(),
      leftOut: text.optional(),
    }),
  ),
});
