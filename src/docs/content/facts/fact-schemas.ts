/**
 * Facts, which pages quote instead of repeating. One YAML file per subject in `content/facts/`; pages show them with
 * `<FlagTable>`, `<LimitTable>`, `<Fact id>` and so on. The examples below are complete, valid files.
 *
 * Texts (`summary`, `description`, `meaning`, …) are one line of inline Markdown: `code`, **strong** and
 * [links](/docs/cache/overview) work. `{{origin}}` and `{{host}}` work everywhere.
 */
import * as z from "zod";

import { part, text } from "./fact-fields.ts";

/**
 * `content/facts/parts.yaml`: the parts of the service in their order, and whether each runs. No other place states it.
 *
 * ```yaml
 * parts:
 *   - id: cache
 *     name: Cache
 *     state: preview # preview | available
 *     page: /docs/cache/overview # shows the state
 *     summary: A remote build cache for build tools.
 *     names: [build cache] # optional: its names in prose; while it is a preview, its first mention in a section is marked
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
      names: z.array(z.string().regex(/^\w[\w ]*\w$/, "words")).default([]),
    }),
  ),
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
 *     setting: MILLRACE_CACHE_QUOTA # optional: the operator's setting that changes it
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
 * `content/facts/not-supported.yaml`: what Millrace does not have. `<NotSupported group="Operation" />` shows one group. A part
 * that is still to come belongs in `parts.yaml`.
 *
 * ```yaml
 * notSupported:
 *   - id: saml # the row's anchor is `no-saml`
 *     group: Sign-in and members
 *     name: SAML
 *     words: [SAML 2.0, AD FS] # other names that readers search for; they are shown
 *     instead: Use OpenID Connect.
 *     page: /docs/security/single-sign-on # where to read more
 * ```
 */
export const notSupportedFactsSchema = z.strictObject({
  notSupported: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9-]+$/, "lower case words joined with dashes"),
      group: text,
      name: text,
      words: z.array(text).min(1),
      instead: text,
      page: z.string().startsWith("/docs"),
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
 * `content/facts/cache.yaml`, which `npm run generate` makes from the cache's own registry of tools
 *
 * ```yaml
 * lists:
 *   names: Bazel, Go and Turborepo # `{{cache:names}}` in pages and facts
 * tools:
 *   - id: turbo
 *     name: Turborepo
 *     page: /docs/cache/reference/turbo
 *     protocol: Vercel remote cache API
 *     address: "`TURBO_API={{origin}}/cache/turbo`"
 *     credentials: "`TURBO_TOKEN`, and `TURBO_TEAM=<org>`"
 *     tested: 2.11.11
 *     token: { from: "`TURBO_TOKEN`", form: the token } # where it reads the token
 *     organization: "`TURBO_TEAM=acme`" # optional: how a user token's organization is named
 *     runner: its environment variables # what a Millrace runner has set for it
 *     prints: { miss: "`cache miss, executing`", hit: "`cache hit, replaying logs`" }
 *     keys: { command: "`turbo run build --dry=json`", compare: "`inputs`" } # what went into a key
 *     part: cache
 * ```
 */
export const cacheFactsSchema = z.strictObject({
  lists: z.record(z.string(), text).default({}),
  tools: z.array(
    z
      .strictObject({
        id: text,
        name: text,
        page: z.string().startsWith("/docs/"),
        protocol: text,
        address: text,
        credentials: text,
        /** The oldest version that the page covers. */
        since: text.optional(),
        /** The version that the tests run. */
        tested: text,
        token: z.strictObject({ from: text, form: text }),
        organization: text.optional(),
        runner: text,
        prints: z.strictObject({ miss: text, hit: text }),
        keys: z.strictObject({ command: text, compare: text }),
        part,
      })
      .refine(({ since = "", tested }) => since.localeCompare(tested, "en", { numeric: true }) <= 0, {
        message: "is newer than `tested`: its page requires a version that was never tested",
        path: ["since"],
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
 *     description: The token that commands use when no one is logged in.
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
      /** Absent if the variable works without any part of the service. */
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
 *     file: .github/ # how the names of its files begin: samples with such a title are for its users
 *     oidc: true # `--trust` has a short form for its OIDC tokens; api: a relationship is written with issuer and claims; false: it has none
 *     issuer: https://token.actions.githubusercontent.com # with true or api
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
      file: text,
      oidc: z.union([z.boolean(), z.literal("api")]),
      issuer: text.optional(),
      credentials: text,
      setup: text.optional(),
      part,
    }),
  ),
});

/** An id in `?setup=`, which joins ids with commas. */
const setupId = z.string().regex(/^[a-z0-9-]+$/, "lower case words joined with dashes");

/**
 * `content/facts/setup.yaml`: the choices of "My setup", in addition to the CI provider.
 *
 * ```yaml
 * setup:
 *   - id: package-manager # also the group of tabs: <Tabs group="package-manager">
 *     name: Package manager
 *     values:
 *       - id: pnpm
 *         name: pnpm # the label of its tab
 *         page: /docs/… # optional: the page for readers who chose it
 * ```
 */
export const setupFactsSchema = z.strictObject({
  setup: z.array(
    z.strictObject({
      id: setupId,
      name: text,
      values: z
        .array(z.strictObject({ id: setupId, name: text, page: z.string().startsWith("/docs/").optional() }))
        .min(1),
    }),
  ),
});
