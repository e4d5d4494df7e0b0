import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { availabilityOf } from "./page/availability.ts";
import { ranOf, readRan } from "./executed/ran.ts";
import { readStates } from "./executed/read-states.ts";
import { choppedAddresses } from "./navigation/chopped-addresses.ts";
import { compilePage, type CompiledPage } from "./page/compile-page.ts";
import { pathOfFile } from "./page/page-file.ts";
import type { Components } from "./blocks/component.ts";
import type { Facts, LoadedFacts } from "./facts/facts.ts";
import type { Edition } from "./editions/edition.ts";
import { loadTranslations } from "./editions/load-translations.ts";
import { lastCommitDates } from "./git-dates.ts";
import { imageSize } from "./blocks/image-size.ts";
import { emptyNavigation, readNavigation, type Navigation } from "./navigation/navigation.ts";
import { hash, imagesHash, PageCache } from "./page-cache.ts";
import type { PagesToCome } from "./page/preview-marks.ts";
import { loadRedirects, type Redirect } from "./navigation/redirects.ts";
import { loadSynonyms, type SynonymGroups } from "./words/synonyms.ts";
import type { ContentProblem, Page } from "./types.ts";

export interface Content {
  /** In the order of their paths. */
  pages: Page[];
  navigation: Navigation;
  synonyms: SynonymGroups;
  /** Redirects of `content/redirects.yaml`, and of folders without a page. */
  redirects: Redirect[];
  /** Translations, in the order of their languages. */
  editions: Edition[];
  /** Paths of omitted drafts. */
  drafts: string[];
  /** Problems of facts, pages, navigation, synonyms and redirects. If one is an error, the site must not be built. */
  problems: ContentProblem[];
}

export interface LoadOptions {
  /** The repository: pages are in `content/docs/`, the tree is `content/navigation.yaml`. */
  root: string;
  /** From `loadFacts(root)`. */
  facts: LoadedFacts;
  components: Components;
  /** Whether drafts are treated as pages, as in development; otherwise they are ignored. */
  withDrafts?: boolean;
  /** Cache of compiled pages. Without it, every page is compiled. */
  cache?: PageCacheOptions;
}

export interface PageCacheOptions {
  folder: string;
  /** A hash of the compiler and its packages. When it changes, everything is compiled again. */
  version: string;
}

const DOCS_FOLDER = "content/docs";
const NAVIGATION_FILE = "content/navigation.yaml";

export async function loadContent(options: LoadOptions): Promise<Content> {
  const { root, facts, withDrafts = false } = options;
  const [files, dates] = await Promise.all([listPages(root), lastCommitDates(root, DOCS_FOLDER)]);
  const sources = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
  const toCome = pagesToCome(files, sources, facts.facts);
  const compile = await pageCompiler(options, toCome);
  const compiled: CompiledPage[] = [];
  for (const [at, file] of files.entries()) compiled.push(await compile.page(file, sources[at] ?? ""));
  await compile.finish();

  const known = { facts: facts.facts, given: readStates(root).given, ran: readRan(root).ran };
  const published = compiled.filter(({ page }) => withDrafts || !page?.draft);
  const pages = published.flatMap(({ page }) =>
    page ? [{ ...page, updated: dates.get(page.file) ?? null, ran: ranOf(page, known) }] : [],
  );
  pages.sort((a, b) => (a.path < b.path ? -1 : 1));
  const broken = files.filter((_, i) => !compiled[i]?.page).map(pathOfFile);
  const drafts = withDrafts ? [] : compiled.flatMap(({ page }) => (page?.draft ? [page.path] : []));
  const { navigation, problems } = await loadNavigation(root, pages, [...broken, ...drafts]);
  const translations = await loadTranslations({
    root,
    facts: facts.facts,
    components: options.components,
    toCome,
    imageSize: (src) => imageSize(root, src),
    pages,
    sources: new Map(files.map((file, at) => [file, sources[at] ?? ""])),
    navigation,
  });
  const words = loadSynonyms(root);
  const moved = loadRedirects(root);
  // An unreadable file of facts counts as empty, so missing facts are not the pages' mistake.
  const own = published.flatMap((page) => page.problems);
  const ofPages = facts.problems.length > 0 ? own.filter(({ rule }) => rule !== "fact") : own;
  return {
    pages,
    navigation,
    editions: translations.editions,
    synonyms: words.synonyms,
    redirects: [...moved.redirects, ...choppedAddresses(pages, navigation, moved.redirects)],
    drafts,
    problems: [
      ...facts.problems,
      ...ofPages,
      ...problems,
      ...translations.problems,
      ...words.problems,
      ...moved.problems,
    ],
  };
}

/** Compiles files one by one, through the cache. */
async function pageCompiler(
  { root, facts: { facts }, components, cache: options }: LoadOptions,
  toCome: PagesToCome,
): Promise<{
  /** @param file `content/docs/cache/overview.mdx` */
  page(file: string, source: string): Promise<CompiledPage>;
  finish(): Promise<void>;
}> {
  const cache = options && new PageCache(options.folder);
  const version = options?.version ?? "";
  const common = hash(
    version,
    process.version,
    await imagesHash(root),
    JSON.stringify(facts),
    JSON.stringify([...toCome]),
  );
  return {
    async page(file, source) {
      const key = hash(common, file, source);
      const cached = await cache?.read(key);
      if (cached) return cached;
      const size = (src: string) => imageSize(root, src);
      const compiled = await compilePage(file, source, { facts, components, toCome, imageSize: size });
      await cache?.write(key, compiled);
      return compiled;
    },
    async finish() {
      await cache?.prune();
    },
  };
}

/** Read before pages are compiled, because each page marks its links to these. */
function pagesToCome(files: readonly string[], sources: readonly string[], facts: Facts): PagesToCome {
  const named = files.map((file, at) => {
    return [pathOfFile(file), /^part: *["']?([\w-]+)/m.exec(sources[at] ?? "")?.[1] ?? ""] as const;
  });
  return new Map(named.filter(([, part]) => part !== "all" && availabilityOf(part, facts) === "preview"));
}

async function listPages(root: string): Promise<string[]> {
  const names = await readdir(join(root, DOCS_FOLDER), { recursive: true }).catch(() => []);
  return names
    .map((name) => `${DOCS_FOLDER}/${name.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".mdx"))
    .sort();
}

async function loadNavigation(
  root: string,
  pages: readonly Page[],
  broken: readonly string[],
): Promise<{ navigation: Navigation; problems: ContentProblem[] }> {
  try {
    return readNavigation(
      await readFile(join(root, NAVIGATION_FILE), "utf8"),
      NAVIGATION_FILE,
      pages,
      broken,
    );
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    const message = "The navigation tree is missing.";
    const fix = "top:\n  - { to: /docs, label: Get Started, end: true }\nsections: []";
    const problem = {
      file: NAVIGATION_FILE,
      line: 1,
      rule: "navigation",
      severity: "error" as const,
      message,
      fix,
    };
    return { navigation: emptyNavigation, problems: [problem] };
  }
}
