/** Pages and other parts of a complete build: the application, the command-line tool, the index. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { siteConfig } from "#config";
import { readContent, readEditions } from "#docs/content/built-content.ts";
import { editionIndex } from "#docs/content/editions/edition.ts";
import type { Content } from "#docs/content/load-content.ts";
import { pageOrder, sectionOf } from "#docs/content/navigation/navigation.ts";
import { fillPlaceholders } from "#docs/content/page/placeholders.ts";
import { docsIndexSettings, inflectOf } from "#docs/docs-index.ts";
import { MEANING_FILE, openMeaning } from "#docs/questions/open-meaning.ts";
import type { LibraryContent } from "#docs/mcp/library.ts";
import type { SearchRecord } from "#docs/records/types.ts";
import {
  BUILT_ADDRESS,
  fillBuiltAddress,
  fillIndexedAddress,
  siteAddress,
} from "#docs/address/site-address.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { loadStaticFiles, type StaticFiles } from "#platform/http/static-files.ts";
import type { Log } from "#platform/log/log.ts";
import { defaultSettings } from "#search/index.ts";
import type { SiteIndex, TranslatedIndex } from "#search-server/index.ts";
import { loadCli } from "#site/.server/cli-downloads.ts";
import { createCommunityCount } from "#site/.server/community-count.ts";
import { createEditionRedirects } from "#site/.server/edition-redirects.ts";
import { createMissingPages, routePaths } from "#site/.server/missing-pages.ts";
import type { NamedPage } from "#site/.server/nearest-pages.ts";
import type { SitePages } from "#site/.server/open-site.ts";
import { negotiatePath } from "#site/.server/page-paths.ts";
import { contentSecurityPolicy, inlineScriptsOf } from "#site/.server/page-policy.ts";
import { createRedirects } from "#site/.server/redirects.ts";
import { readRelease } from "#site/.server/release-name.ts";
import type { SiteAppOptions } from "#site/.server/site-app.ts";
import { createSiteHandler, pagePolicy } from "#site/.server/site-handler.ts";
import { createSuggestions } from "#site/.server/suggestions.ts";
import type { SiteSource } from "#site/site-source.ts";
import type { BuildFolders } from "./build-folders.ts";
import type { Environment } from "../environment.ts";
import type { PageOrigin } from "../ground.ts";
import { loadServerBuild } from "./load-server-build.ts";
import { loadSiteSource } from "./load-site-source.ts";

/** Loads files into memory, and, once the search is open, the server's code for pages rendered on request. */
export async function loadBuiltPages(folders: BuildFolders, env: Environment, log: Log): Promise<PageOrigin> {
  const name = await readRelease(folders.site);
  const { files: cliFiles, version: cliVersion } = await loadCli(folders.cli, env.SITE_ORIGIN);
  return {
    release: { name, environment: "production", sourceMaps: join(folders.site, "maps") },
    isWritable: false,
    appFiles: await loadAppFiles(folders),
    cliFiles,
    cliVersion,
    siteIndex: {
      ...siteIndexOf(env.SITE_ORIGIN),
      isElsewhere: siteConfig.search.provider === "meilisearch",
      read: () => readIndex(folders),
      readMeaning: async (index) => openMeaning(await readFile(join(folders.search, MEANING_FILE)), index),
      readTranslated: () => readTranslated(folders),
      readRecords: () => readRecords(folders, env.SITE_ORIGIN),
    },
    openPages: ({ ask }) => openPages(folders, env.SITE_ORIGIN, { ask, log }),
  };
}

/** With Algolia the server itself still answers `?q=`. */
export function siteIndexOf(origin: string): Pick<SiteIndex, "uid" | "showText"> {
  const address = siteAddress(origin);
  return { uid: siteConfig.search.indexName, showText: (text) => fillIndexedAddress(text, address) };
}

async function readIndex(folders: BuildFolders): Promise<Uint8Array> {
  try {
    return await readFile(join(folders.search, "docs.index"));
  } catch (error) {
    throw unusable(folders.search, error);
  }
}

const unusable = (folder: string, error: unknown) =>
  new UserError(
    `The index of the site's pages cannot be used (${error instanceof Error ? error.message : error}): remove ${folder} and start again to rebuild it.`,
  );

/** The index of each translation, as the build made it. */
async function readTranslated({ content, search }: BuildFolders): Promise<TranslatedIndex[]> {
  const editions = await readEditions(content).catch((error: unknown) => {
    throw unusable(content, error);
  });
  return Promise.all(
    editions
      .filter(({ version }) => version === null)
      .map(async ({ id, language }) => ({
        uid: editionIndex(siteConfig.search.indexName, id),
        bytes: await readFile(join(search, `docs-${id}.index`)).catch((error: unknown) => {
          throw unusable(search, error);
        }),
        inflect: inflectOf(language),
      })),
  );
}

async function readRecords(folders: BuildFolders, origin: string): ReturnType<SiteIndex["readRecords"]> {
  const text = await readFile(join(folders.search, "docs.json"), "utf8");
  const json = fillIndexedAddress(text, siteAddress(origin));
  const { synonyms } = await readContent(folders.content);
  return {
    documents: (JSON.parse(json) as SearchRecord[]).map((record) => ({ ...record })),
    settings: { ...defaultSettings(), ...docsIndexSettings(synonyms) },
    version: createHash("sha256").update(json).digest("hex").slice(0, 12),
  };
}

async function openPages(
  folders: BuildFolders,
  origin: string,
  { ask, log }: { ask: SiteSource["search"]; log: Log },
): Promise<SitePages<LibraryContent>> {
  const startedAt = new Date().toISOString();
  const sizes = await measureIndex(folders);
  const { source, content, editions } = await loadSiteSource(folders, origin, {
    search: ask,
    status: () => ({
      startedAt,
      pages: content.pages.length,
      ...sizes,
      provider: siteConfig.search.provider,
    }),
  });
  const serverBuild = await loadServerBuild(folders);
  const csp = pagePolicy(serverBuild);
  const files = await loadFiles(folders, origin, csp);
  const hasPage = (path: string) => source.page(path) !== undefined;
  const moved = createRedirects(content.redirects);
  const untranslated = createEditionRedirects({ editions, hasPage });
  // Before anything else keeps references to parts of the files.
  const missing = createMissingPages({
    files,
    routes: routePaths(serverBuild),
    hasPage,
    suggest: createSuggestions(namedPages(content, origin), origin),
    origin,
  });
  return {
    content: () => content,
    files,
    ...openCommunity(files, log),
    pathFor: negotiatePath,
    markdownFor: source.markdown,
    render: createSiteHandler(serverBuild, "production", source),
    redirect: (request) => moved(request) ?? untranslated(request),
    missing,
    csp,
  };
}

function openCommunity(files: StaticFiles, log: Log): Pick<SiteAppOptions, "community"> {
  const url = siteConfig.community?.countUrl;
  return url ? { community: createCommunityCount({ url, files, log }) } : {};
}

/** The index's figures on the status page. */
async function measureIndex({ search }: BuildFolders): Promise<{ records: number; indexBytes: number }> {
  const records = JSON.parse(await readFile(join(search, "docs.json"), "utf8")) as unknown[];
  return { records: records.length, indexBytes: (await stat(join(search, "docs.index"))).size };
}

/** Pages (with the site's address filled in where the build left it open), images and assets. */
async function loadFiles(folders: BuildFolders, origin: string, csp: string): Promise<StaticFiles> {
  const address = siteAddress(origin);
  const late = { place: BUILT_ADDRESS.host, fill: (text: string) => fillBuiltAddress(text, address) };
  const [pages, images, assets, offline] = await Promise.all([
    loadStaticFiles(folders.pages, { csp, late }),
    loadStaticFiles(join(folders.images, "files")),
    loadStaticFiles(join(folders.site, "client")),
    loadStaticFiles(folders.offline),
  ]);
  return new Map([...assets, ...images, ...pages, ...offline]);
}

/** In the tree's order. */
function namedPages(
  { pages, navigation }: Pick<Content, "pages" | "navigation">,
  origin: string,
): NamedPage[] {
  const titles = new Map(pages.map(({ path, title }) => [path, fillPlaceholders(title, origin)]));
  return pageOrder(navigation).map(({ to, label }) => ({
    path: to,
    title: titles.get(to) ?? label,
    section: sectionOf(navigation, to),
  }));
}

/** The application and the console; undefined until they are built. */
export async function loadAppFiles(folders: BuildFolders): Promise<StaticFiles | undefined> {
  const exists = await stat(folders.console).then(
    () => true,
    () => false,
  );
  if (!exists) return undefined;
  const pages = await Promise.all(
    ["index.html", "frame.html"].map((name) => readFile(join(folders.console, name), "utf8")),
  );
  const scripts = new Set(pages.flatMap(inlineScriptsOf));
  return loadStaticFiles(folders.console, { csp: contentSecurityPolicy([...scripts]) });
}
