import type { ServerBuild } from "react-router";
import { createServer, type ViteDevServer } from "vite";
import { type Environment, parseEnvironment } from "./environment.ts";
import type { AuthorState } from "#docs/author/report-page.ts";
import { buildDocsIndex, docsRecords } from "#docs/docs-index.ts";
import { loadFacts } from "#docs/content/facts.ts";
import type { CheckedContent } from "#docs/content/check-content.ts";
import type { Content } from "#docs/content/load-content.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { openIndex } from "#search/index.ts";
import { formatProblem } from "#docs/content/problem.ts";
import { createApp } from "./app.ts";
import { authorDoor } from "./author-door.ts";
import { listen, type ListenOptions, probePort } from "./listen.ts";
import { ProtocolServer } from "./protocols.ts";
import { endWithLauncher, stopOnSignals } from "./stop.ts";
import { createSiteSource } from "#site/.server/create-site-source.ts";
import { createRedirects, type Redirects } from "#site/.server/redirects.ts";
import { createSiteHandler } from "#site/.server/site-handler.ts";
import { negotiatePath } from "#site/.server/page-paths.ts";
import { consoleLog } from "#platform/log/log.ts";
import { staticFile, type StaticFiles } from "#platform/http/static-files.ts";
import { textFiles } from "#site/.server/text-files.ts";
import type { SiteSource } from "#site/site-source.ts";
import { contentWatch } from "./content-watch.ts";
import { failurePage } from "./failure-page.ts";
import { type BuildFolders, buildFolders, cacheFolder, root } from "./build-folders.ts";
import { describeListenError, readEnvironment, takeDataFolder } from "./listening.ts";
import { loadConsoleFiles } from "./load-runtime.ts";
import { openSiteTelemetry } from "./open-site-telemetry.ts";
import { type Opened, openOrClose } from "./open-or-close.ts";
import { openMcp } from "./open-mcp.ts";
import { createDocsSearch, type DocsSearch } from "./open-search.ts";
import { type OpenedAccounts, openAccounts } from "./open-accounts.ts";
import { refuseOpenSecretKey } from "./secret-key.ts";
import { loadCli } from "./serve-cli.ts";
import { UserError } from "./user-error.ts";

interface Draft {
  source: SiteSource;
  content: Content;
  files: StaticFiles;
  redirect: Redirects;
  /** Mistakes that stop a build; shown while the last good state is served. */
  errors: ContentProblem[];
  /** What `npm test` would also find; shown, and the page is served. */
  findings: ContentProblem[];
  /** What an author's panel shows. */
  author: AuthorState;
}

/** What the build also does in development; its modules know the server, but not the other way round. */
export interface DevelopmentSteps {
  /** Every page in its current state. */
  compile: () => Promise<Content>;
  /** What `npm test` would find in them. */
  describe: (content: CheckedContent) => Promise<ContentProblem[]>;
  /** Builds the console and packs the CLI, where their code has changed. */
  buildFiles: () => Promise<BuildFolders>;
  /** Where pages find the icons. */
  spriteUrl: string;
}

/** Hot reload of code (Vite) and of content: a saved page is compiled, indexed and shown at once. */
export async function startDevelopment(steps: DevelopmentSteps): Promise<void> {
  endWithLauncher();
  const env = readEnvironment(parseEnvironment);
  await openOrClose((opened) => serve(env, steps, opened));
}

async function serve(env: Environment, steps: DevelopmentSteps, opened: Opened): Promise<void> {
  const fail = (error: unknown) => {
    throw new UserError(describeListenError(error, env.HOST, env.PORT));
  };
  await probePort(env.HOST, env.PORT).catch(fail);
  refuseOpenSecretKey(env);
  opened.add(takeDataFolder(env).close);
  const accounts = await openAccounts(env, { log: consoleLog });
  opened.add(accounts.close);
  const telemetry = openSiteTelemetry(env, {
    accounts,
    environment: "development",
    release: "development",
    search: () => search,
  });
  opened.add(telemetry.close);
  const search = await createDocsSearch(env, { onSearch: telemetry.countSearches });
  opened.add(search.close);
  const drafts = await keepDrafts(steps, search, env.SITE_ORIGIN);
  const built = await openBuiltFiles(steps, env);
  const server = new ProtocolServer();
  const pages = await openHotPages(server, env.SITE_ORIGIN, drafts);
  const { vite } = pages;
  opened.add(vite.close);
  const app = createApp({
    origin: env.SITE_ORIGIN,
    get files() {
      return drafts.current().files;
    },
    redirect: (request) => drafts.current().redirect(request),
    pathFor: negotiatePath,
    markdownFor: (path, setup) => drafts.current().source.markdown(path, setup),
    searchRoutes: search.routes,
    telemetry,
    mcpApp: openMcp({
      origin: env.SITE_ORIGIN,
      search: search.ask,
      content: () => drafts.current().content,
      log: consoleLog,
    }),
    consoleApp: telemetry.consoleApp,
    ...built,
    ...accounts.parts,
    close: opened.close,
    render: pages.render,
  });
  await listen(app, env.HOST, env.PORT, optionsOf(server, vite, accounts)).catch(fail);
  // Vite's listener would end the process before the databases are closed.
  process.removeAllListeners("SIGTERM");
  stopOnSignals({
    server,
    onError: (error) => console.error("An uncaught error ends the server:", error),
    close: opened.close,
  });
  opened.add(() => (server.close(), server.closeAllConnections()));
  const ownerNote = await accounts.parts.describeOwner?.();
  console.log(`Millrace is at ${env.SITE_ORIGIN} (development)`);
  if (ownerNote) console.log(ownerNote);
  drafts.report();
}

/** Not hot: they are built once, if their code has changed. */
async function openBuiltFiles(steps: DevelopmentSteps, env: Environment) {
  const folders = await steps.buildFiles();
  const consoleFiles = await loadConsoleFiles(folders);
  return { cli: await loadCli(folders, env), ...(consoleFiles && { consoleFiles }) };
}

function optionsOf(
  server: ProtocolServer,
  { middlewares: before }: ViteDevServer,
  { parts: { createRoomHandlers, others } }: OpenedAccounts,
): ListenOptions {
  return { before, server, rooms: createRoomHandlers?.(), ...others };
}

type Drafts = Awaited<ReturnType<typeof keepDrafts>>;

/** What is served now; `update` compiles it again. */
async function keepDrafts(steps: DevelopmentSteps, search: DocsSearch, origin: string) {
  let draft = await compileDraft(steps, search, origin);
  function report(): void {
    for (const problem of [...draft.errors, ...draft.findings]) console.error(`\n${formatProblem(problem)}`);
  }
  return {
    current: () => draft,
    report,
    async update(): Promise<void> {
      draft = await compileDraft(steps, search, origin, draft);
      report();
    },
  };
}

/** Pages served by Vite, which sends changes to the browser. */
async function openHotPages({ http1, onUpgrade }: ProtocolServer, origin: string, drafts: Drafts) {
  let hasFailed = false;
  // While Vite restarts, two of it exist for a moment: only the new one may answer sockets.
  http1.on("newListener", (event, added) => {
    if (event !== "upgrade" || added === onUpgrade) return;
    for (const each of http1.rawListeners("upgrade"))
      if (each !== onUpgrade) http1.off("upgrade", each as () => void);
  });
  const vite = await createServer({
    root,
    server: {
      middlewareMode: true,
      // On the site's own port, so that two development servers do not disturb each other.
      ws: { server: http1 },
      // The host that readers see when there is a proxy.
      allowedHosts: [new URL(origin).hostname],
      // A build that runs at the same time must not reload the pages.
      watch: { ignored: [`${cacheFolder}/**`, `${buildFolders().build}/**`] },
    },
    appType: "custom",
    plugins: [
      contentWatch({
        onChange: drafts.update,
        errors: () => drafts.current().errors.map(formatProblem),
        mustReload: () => hasFailed,
      }),
      authorDoor({ root, state: () => drafts.current().author }),
    ],
  });

  async function render(request: Request): Promise<Response> {
    try {
      const serverBuild = (await vite.ssrLoadModule("virtual:react-router/server-build")) as ServerBuild;
      hasFailed = false;
      return await createSiteHandler(serverBuild, "development", drafts.current().source)(request);
    } catch (error) {
      hasFailed = true;
      return failurePage(error, vite);
    }
  }
  return { vite, render };
}

async function compileDraft(
  steps: DevelopmentSteps,
  search: DocsSearch,
  origin: string,
  former?: Draft,
): Promise<Draft> {
  // Every page would be compiled in vain.
  const { problems } = loadFacts(root);
  if (problems.length > 0 && former) return failedDraft(former, problems, problems);
  const content = await steps.compile();
  const errors = content.problems.filter((problem) => problem.severity === "error");
  if (errors.length > 0 && former) return failedDraft(former, errors, content.problems);
  const records = docsRecords(content.pages, content.navigation);
  const bytes = buildDocsIndex(records, content.synonyms);
  search.replace(bytes);
  const startedAt = new Date().toISOString();
  const source = createSiteSource({
    ...content,
    origin,
    spriteUrl: steps.spriteUrl,
    search: search.ask,
    status: () => ({
      startedAt,
      pages: content.pages.length,
      records: records.length,
      indexBytes: bytes.length,
      provider: "embedded",
    }),
  });
  const files: StaticFiles = new Map(
    textFiles(content, origin).map(({ name, text }) => [`/${name}`, staticFile(name, Buffer.from(text))]),
  );
  const redirect = createRedirects(content.redirects);
  const findings = await steps.describe(content);
  const author = {
    pages: content.pages,
    problems: [...content.problems, ...findings],
    records,
    index: openIndex(bytes),
  };
  return { source, content, files, redirect, errors, findings, author };
}

/** Serves the former state on, and tells the mistakes. */
function failedDraft(former: Draft, errors: ContentProblem[], problems: ContentProblem[]): Draft {
  return { ...former, errors, findings: [], author: { ...former.author, problems } };
}
