import { z } from "zod";

/**
 * The schema of `site.config.ts`, the one configuration file. It is checked when the site is built and when the
 * server starts; the browser gets only the values.
 */

const path = z.string().regex(/^\/(?!\/)/, "must be a path that starts with one slash");
const href = z.union([path, z.url({ protocol: /^https$/ })], {
  error: "must be a path that starts with one slash, or an https:// address",
});
const link = z.strictObject({ label: z.string().min(1), to: href });
const iconLink = link.extend({ icon: z.string() });
const language = z.string().regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/);
/** A button that opens a menu of links, or of the products; icons are Lucide's. */
const menu = z.strictObject({
  label: z.string().min(1),
  links: z.union([z.array(iconLink).min(1), z.literal("products")]),
});

export const siteConfigSchema = z.strictObject({
  /** The product's name, in titles and in the header. */
  name: z.string().min(1),
  /** One sentence for search engines and link previews. */
  description: z.string().min(50).max(170),
  /** Copyright holder in the footer. */
  owner: z.string().min(1),
  /** Address of the source, on GitHub or on a GitLab (`gitlab.…`): "Edit" opens a page's file on `main`. null hides it. */
  repository: z.url({ protocol: /^https?$/ }).nullable(),
  /**
   * The same pages in other languages, below addresses of their own: `{ language: "de", origin: "https://de.docs.example.com" }`.
   * Pages and sitemap list them for search engines (`hreflang`), with this site as the default. Empty: none.
   */
  editions: z
    .array(
      z.strictObject({
        language,
        origin: z.url({ protocol: /^https?$/ }).regex(/[^/]$/, "must not end in a slash"),
      }),
    )
    .max(50),
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
   * The community's chat; null hides the link and the number of people online. `countUrl` is the chat's public invite endpoint
   * (`https://discord.com/api/v10/invites/<code>?with_counts=true`), fetched by the server at most once a minute; null shows the
   * link without a number.
   */
  community: z
    .strictObject({
      label: z.string().min(1),
      link: href,
      countUrl: z.url({ protocol: /^https?$/ }).nullable(),
    })
    .nullable(),
  /** Content of the home page, `/trust` and the footer; both badges are samples until their words are changed. */
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
       * The provider of the documentation's search.
       * - `embedded`: the engine in this process;
       * - `meilisearch`: a Meilisearch server behind the same routes (`MEILISEARCH_URL`, `MEILISEARCH_KEY`);
       * - `algolia`: the browser asks Algolia directly, with the settings of `algolia`.
       */
      provider: z.enum(["embedded", "meilisearch", "algolia"]),
      /**
       * Required for the provider `algolia`; null for the others. The key is the search-only one: every reader sees it. Readers
       * can filter by section and kind if the index has `hierarchy_lvl0` and `type` in its `attributesForFaceting`.
       */
      algolia: z
        .strictObject({
          appId: z.string().regex(/^[A-Z0-9]{10}$/),
          searchKey: z.string().regex(/^[0-9a-f]{32}$/),
          indexName: z.string().min(1).max(256),
        })
        .nullable(),
      indexName: z.string().regex(/^[A-Za-z0-9_-]{1,400}$/),
      /**
       * The texts' language, as declared by the pages. It decides which words carry little meaning in a question
       * (`src/search/text/stop-words.ts`).
       */
      language,
      /** Words that are ignored unless nothing else was typed. null: the stop words of `language`. */
      stopWords: z.array(z.string()).nullable(),
    })
    .refine((search) => search.provider !== "algolia" || search.algolia !== null, {
      path: ["algolia"],
      error: "is required by the provider algolia",
    }),
  telemetry: z.strictObject({
    /** After how many days data is deleted. */
    retentionDays: z.number().int().min(1).max(365),
    /** Size limit of the database. Beyond it, the oldest data goes, of the kind that uses most of its own budget (`budgets.ts`). */
    maxBytes: z.number().int().min(10_000_000),
    /** Consents that readers are asked for. When both are false, no one is asked. */
    analytics: z.boolean(),
    recording: z.boolean(),
    /** Switches for parts of the site, evaluated as PostHog does it: the same reader always gets the same value. */
    flags: z.array(
      z.strictObject({
        key: z.string().regex(/^[a-z0-9-]{1,80}$/),
        description: z.string().min(1),
        isActive: z.boolean(),
        /** Percentage of readers, 0 to 100. */
        percentage: z.number().min(0).max(100),
        /** Only readers whose browser asks for one of these languages (`en`, `de`); empty: all. */
        languages: z.array(z.string().regex(/^[a-z]{2,3}$/)),
        /** Only on pages below one of these paths; empty: all. */
        paths: z.array(path),
        /** Values other than on and off, with shares in percent that add up to 100. */
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

/** @throws Error that names all problems together, with its place in `site.config.ts`. */
export function parseSiteConfig(value: unknown): SiteConfig {
  const parsed = siteConfigSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `  ${issue.path.join(".") || "(root)"}: ${issue.message}`,
  );
  throw new Error(`site.config.ts has ${problems.length} problem(s):\n${problems.join("\n")}`);
}
