import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { consoleLog, type Log } from "#platform/log/log.ts";
import type { Environment } from "./environment.ts";
import { siteConfig } from "#config";
import type { Content } from "#docs/content/load-content.ts";
import { BUILT_ADDRESS, fillBuiltAddress, siteAddress } from "#docs/site-address.ts";
import { pageOrder, sectionOf } from "#docs/content/navigation.ts";
import { fillPlaceholders } from "#docs/content/placeholders.ts";
import type { NamedPage } from "#site/.server/nearest-pages.ts";
import { createSiteHandler, pagePolicy } from "#site/.server/site-handler.ts";
import { createCommunityCount } from "#site/.server/community-count.ts";
import { createMissingPages, routePaths } from "#site/.server/missing-pages.ts";
import { createRedirects } from "#site/.server/redirects.ts";
import { contentSecurityPolicy, inlineScriptsOf } from "#site/.server/page-policy.ts";
import { negotiatePath } from "#site/.server/page-paths.ts";
import type { ObservedRoom, ServerRuntime } from "./runtime.ts";
import { loadStaticFiles, type StaticFiles } from "#platform/http/static-files.ts";
import { createSuggestions } from "#site/.server/suggestions.ts";
import type { BuildFolders } from "./build-folders.ts";
import { loadServerBuild } from "./load-server-build.ts";
import { loadSiteSource } from "./load-site-source.ts";
import { type Opened, openOrClose } from "./open-or-close.ts";
import { openSearch } from "./open-search.ts";
import { openAccounts, type OpenedAccounts } from "./open-accounts.ts";
import { openSiteTelemetry } from "./open-site-telemetry.ts";
import { openMcp } from "./open-mcp.ts";
import { readRelease } from "./release-name.ts";
import { loadCli } from "./serve-cli.ts";

/** Opens a complete build: files into memory, the index, and the server's code for pages rendered on request. */
export const loadRuntime = (
  folders: BuildFolders,
  env: Environment,
  log: Log = consoleLog,
): Promise<ServerRuntime> => openOrClose((opened) => load(folders, { env, log }, opened));

async function load(
  folders: BuildFolders,
  { env, log }: { env: Environment; log: Log },
  opened: Opened,
): Promise<ServerRuntime> {
  const startedAt = new Date().toISOString();
  // First: what is wrong with the database is the operator's to mend.
  const accounts = await openAccounts(env, { log });
  opened.add(accounts.close);
  const telemetry = openSiteTelemetry(env, {
    accounts,
    sourceMaps: join(folders.site, "maps"),
    release: await readRelease(folders.site),
    search: () => search,
    log: (line) => log.warn(line),
  });
  opened.add(telemetry.close);
  const search = await openSearch(folders, env, { onSearch: telemetry.countSearches, log });
  opened.add(search.close);
  const sizes = await measureIndex(folders);
  const { source, content } = await loadSiteSource(folders, env.SITE_ORIGIN, {
    search: search.ask,
    status: () => ({
      startedAt,
      pages: content.pages.length,
      ...sizes,
      provider: siteConfig.search.provider,
    }),
  });
  const serverBuild = await loadServerBuild(folders);
  const csp = pagePolicy(serverBuild);
  const files = await loadFiles(folders, env.SITE_ORIGIN, csp);
  // Before anything else keeps a copy of parts of the files.
  const missing = createMissingPages({
    files,
    routes: routePaths(serverBuild),
    hasPage: (path) => source.page(path) !== undefined,
    suggest: createSuggestions(namedPages(content, env.SITE_ORIGIN), env.SITE_ORIGIN),
    origin: env.SITE_ORIGIN,
  });
  const consoleFiles = await loadConsoleFiles(folders);
  return {
    origin: env.SITE_ORIGIN,
    files,
    ...openCommunity(files, log),
    pathFor: negotiatePath,
    markdownFor: source.markdown,
    searchRoutes: search.routes,
    telemetry,
    rooms: [...accounts.rooms, roomOf("search", search), telemetryRoom(telemetry, accounts.disk)],
    mcpApp: openMcp({ origin: env.SITE_ORIGIN, search: search.ask, content: () => content, log }),
    consoleApp: telemetry.consoleApp,
    ...(consoleFiles && { consoleFiles }),
    cli: await loadCli(folders, env),
    ...accounts.parts,
    close: opened.close,
    render: createSiteHandler(serverBuild, "production", source),
    redirect: createRedirects(content.redirects),
    missing,
    csp,
  };
}

const roomOf = (name: string, { isReady, registerMetrics }: Omit<ObservedRoom, "name">): ObservedRoom => ({
  name,
  isReady,
  registerMetrics,
});

/** A full disk is a lack of its own, with which pages and rights go on. */
const telemetryRoom = (
  { isReady, registerMetrics }: Omit<ObservedRoom, "name">,
  { watch }: OpenedAccounts["disk"],
): ObservedRoom => ({
  name: "telemetry",
  isReady: async () => watch.level === "full" || isReady(),
  registerMetrics,
});

function openCommunity(files: StaticFiles, log: Log): Pick<ServerRuntime, "community"> {
  const url = siteConfig.community?.countUrl;
  return url ? { community: createCommunityCount({ url, files, log }) } : {};
}

/** What the status page tells of the index. */
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

/** In the order of the tree. */
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

/** Undefined until the console is built. */
export async function loadConsoleFiles(folders: BuildFolders): Promise<StaticFiles | undefined> {
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
