import { z } from "zod";

/**
 * The schema of `site.config.ts`, the one configuration file. It is checked when the site is built and when the
 * server starts; the browser sees the values only.
 */

const path = z.string().regex(/^\/(?!\/)/, "must be a path that starts with one slash");
const href = z.union([path, z.url({ protocol: /^https$/ })], {
  error: "must be a path that starts with one slash, or an https:// address",
});
const link = z.strictObject({ label: z.string().min(1), to: href });
const iconLink = link.extend({ icon: z.string() });
/** A button that opens a menu of links; icons are Lucide's. */
const menu = z.strictObject({ label: z.string().min(1), links: z.array(iconLink).min(1) });

export const siteConfigSchema = z.strictObject({
  /** The product's name, in titles and in the header. */
  name: z.string().min(1),
  /** One sentence for search engines and link previews. */
  description: z.string().min(50).max(170),
  /** Copyright holder in the footer. */
  owner: z.string().min(1),
  /** Address of the source; "Edit" links point to `<repository>/edit/main/<file>`. null hides them. */
  repository: z.url().nullable(),
  header: z.strictObject({
    links: z.array(z.union([link, menu])),
    /** The primary action; its key is a single capital letter. */
    action: z.strictObject({ label: z.string(), to: href, key: z.string().regex(/^[A-Z]$/) }),
  }),
  /** Links at the right of the documentation bar. */
  docsBar: z.array(link),
  footer: z.array(link),
  social: z.array(iconLink),
  /**
   * The community's chat; null hides the link and the number of those online. `countUrl` is the chat's public invite
   * endpoint (`https://discord.com/api/v10/invites/<code>?with_counts=true`), asked by the server at most once a minute;
   * null shows the link without a number.
   */
  community: z
    .strictObject({
      label: z.string().min(1),
      link: href,
      countUrl: z.url({ protocol: /^https?$/ }).nullable(),
    })
    .nullable(),
  /** What the home page, `/trust` and the footer show; both badges are samples until their words are changed. */
  trust: z.strictObject({
    soc: z.boolean(),
    funding: z.boolean(),
    /** For `/trust` and `security.txt`: `mailto:security@example.com` or an https:// address. null: the repository's form. */
    securityContact: z
      .string()
      .regex(/^(mailto:\S+@\S+|https:\/\/\S+)$/, "must be mailto:… or https://…")
      .nullable(),
  }),
  search: z
    .strictObject({
      /**
       * Who answers the documentation's search.
       * - `embedded`: the engine in this process;
       * - `meilisearch`: a Meilisearch server behind the same routes (`MEILISEARCH_URL`, `MEILISEARCH_KEY`);
       * - `algolia`: the browser asks Algolia directly, with the settings of `algolia`.
       */
      provider: z.enum(["embedded", "meilisearch", "algolia"]),
      /** Needed by the provider `algolia`; null with the others. The key is the search-only one: every reader sees it. */
      algolia: z
        .strictObject({
          appId: z.string().regex(/^[A-Z0-9]{10}$/),
          searchKey: z.string().regex(/^[0-9a-f]{32}$/),
          indexName: z.string().min(1).max(256),
        })
        .nullable(),
      indexName: z.string().regex(/^[A-Za-z0-9_-]{1,400}$/),
      /** Words that mean the same, both ways. */
      synonyms: z.array(z.array(z.string().min(1)).min(2)),
      /** Of the texts: which words of grammar say little in a question (`src/search/text/stop-words.ts`). */
      language: z.string().regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/),
      /** Words by which nothing is found unless they are all that was typed; null = those of `language`. */
      stopWords: z.array(z.string()).nullable(),
    })
    .refine((search) => search.provider !== "algolia" || search.algolia !== null, {
      path: ["algolia"],
      error: "is needed by the provider algolia",
    }),
  telemetry: z.strictObject({
    /** What is older, in days, is deleted; so is the oldest of what exceeds `maxBytes`. */
    retentionDays: z.number().int().min(1).max(365),
    maxBytes: z.number().int().min(10_000_000),
    /** What readers are asked to agree to; with both false nobody is asked. */
    analytics: z.boolean(),
    recording: z.boolean(),
    /** Switches for parts of the site, evaluated as PostHog does it: the same reader always gets the same value. */
    flags: z.array(
      z.strictObject({
        key: z.string().regex(/^[a-z0-9-]{1,80}$/),
        description: z.string().min(1),
        isActive: z.boolean(),
        /** Of readers, 0 to 100. */
        percentage: z.number().min(0).max(100),
        /** Only readers whose browser asks for one of these languages (`en`, `de`); empty: all. */
        languages: z.array(z.string().regex(/^[a-z]{2,3}$/)),
        /** Only on pages below one of these paths; empty: all. */
        paths: z.array(path),
        /** More than on and off: shares in percent that add up to 100. */
        variants: z.array(z.strictObject({ key: z.string(), percentage: z.number().min(0).max(100) })),
      }),
    ),
    /** Questions shown in the notices' corner to readers who agreed to analytics, each once. */
    surveys: z.array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9-]{1,80}$/),
        isActive: z.boolean(),
        question: z.string().min(1).max(200),
        /** Empty: an open question. */
        choices: z.array(z.string().min(1).max(80)).max(10),
        percentage: z.number().min(0).max(100),
        languages: z.array(z.string().regex(/^[a-z]{2,3}$/)),
        paths: z.array(path),
      }),
    ),
  }),
});

export type SiteConfig = z.infer<typeof siteConfigSchema>;

/**
 * @throws Error that names every problem at once, with its place in `site.config.ts`.
 */
export function parseSiteConfig(value: unknown): SiteConfig {
  const parsed = siteConfigSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `  ${issue.path.join(".") || "(root)"}: ${issue.message}`,
  );
  throw new Error(`site.config.ts has ${problems.length} problem(s):\n${problems.join("\n")}`);
}
