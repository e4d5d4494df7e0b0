/** Pages as an author edits them: a saved page is compiled, indexed and shown at once. */
import type { ServerBuild } from "react-router";
import { createServer, type ViteDevServer } from "vite";
import { openEditedDocs } from "#docs/open-edited-docs.ts";
import type { AuthorState } from "#docs/author/report-page.ts";
import type { CheckedContent } from "#docs/content/check-content.ts";
import { loadFacts } from "#docs/content/facts/facts.ts";
import type { Content } from "#docs/content/load-content.ts";
import { formatProblem } from "#docs/content/problem.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import type { LibraryContent } from "#docs/mcp/library.ts";
import { staticFile, type StaticFiles } from "#platform/http/static-files.ts";
import type { ReadMeaning } from "#search/index.ts";
import { loadCli } from "#site/.server/cli-downloads.ts";
import { createSiteSource } from "#site/.server/create-site-source.ts";
import { createEditionRedirects } from "#site/.server/edition-redirects.ts";
import type { SitePages } from "#site/.server/open-site.ts";
import { negotiatePath } from "#site/.server/page-paths.ts";
import { createRedirects, type Redirects } from "#site/.server/redirects.ts";
import { createSiteHandler } from "#site/.server/site-handler.ts";
import { textFiles } from "#site/.server/text-files.ts";
import type { SiteSource } from "#site/site-source.ts";
import { authorEndpoint } from "./author-endpoint.ts";
import { type BuildFolders, buildFolders, cacheFolder, root } from "./build-folders.ts";
import { loadAppFiles, siteIndexOf } from "./built-pages.ts";
import { contentWatch } from "./content-watch.ts";
import { failurePage } from "./failure-page.ts";
import type { PageOrigin } from "../ground.ts";
import type { ProtocolServer } from "../port/protocols.ts";

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

/** What the build also does in development; its modules know the server, but the server does not know them. */
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

export interface EditedPages {
  loadPages: () => Promise<PageOrigin>;
  /** Once the pages are open: Vite, which is asked before the application. */
  vite: () => ViteDevServer;
  /** Prints what is wrong with the pages. */
  report: () => void;
}

/** What is not hot is built once, if its code has changed. */
export function editPages(steps: DevelopmentSteps, origin: string, server: ProtocolServer): EditedPages {
  let opened: { vite: ViteDevServer; drafts: Drafts } | undefined;
  const ready = () => {
    if (opened) return opened;
    throw new Error("The pages are not open yet.");
  };
  async function loadPages(): Promise<PageOrigin> {
    const folders = await steps.buildFiles();
    const { files: cliFiles, version: cliVersion } = await loadCli(folders.cli, origin);
    return {
      release: { name: "development", environment: "development", sourceMaps: null },
      isWritable: true,
      appFiles: await loadAppFiles(folders),
      cliFiles,
      cliVersion,
      siteIndex: {
        ...siteIndexOf(origin),
        isElsewhere: false,
        read: null,
        readRecords: () => Promise.reject(new Error("Development fills no other server's index.")),
      },
      async openPages(search) {
        const drafts = await keepDrafts(steps, search, origin);
        const { vite, render } = await openHotPages(server, origin, drafts);
        opened = { vite, drafts };
        return sitePagesOf(drafts, render, vite);
      },
    };
  }
  return { loadPages, vite: () => ready().vite, report: () => ready().drafts.report() };
}

/** Its files change with every save. */
const sitePagesOf = (
  drafts: Drafts,
  render: SitePages<LibraryContent>["render"],
  vite: ViteDevServer,
): SitePages<LibraryContent> => ({
  get files() {
    return drafts.current().files;
  },
  content: () => drafts.current().content,
  redirect: (request) => drafts.current().redirect(request),
  pathFor: negotiatePath,
  markdownFor: (path, setup) => drafts.current().source.markdown(path, setup),
  render,
  close: vite.close,
});

/** What a draft needs of the search. */
interface DraftSearch {
  ask: SiteSource["search"];
  replaceIndex: (bytes: Uint8Array, readMeaning?: ReadMeaning) => void;
}

type Drafts = Awaited<ReturnType<typeof keepDrafts>>;

/** What is served now; `update` compiles it again. */
async function keepDrafts(steps: DevelopmentSteps, search: DraftSearch, origin: string) {
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
      authorEndpoint({ root, state: () => drafts.current().author }),
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
  search: DraftSearch,
  origin: string,
  former?: Draft,
): Promise<Draft> {
  // Every page would be compiled in vain.
  const { problems } = loadFacts(root);
  if (problems.length > 0 && former) return failedDraft(former, problems, problems);
  const content = await steps.compile();
  const errors = content.problems.filter((problem) => problem.severity === "error");
  if (errors.length > 0 && former) return failedDraft(former, errors, content.problems);
  const { records, bytes, readMeaning, index } = await openEditedDocs(content);
  search.replaceIndex(bytes, readMeaning);
  const startedAt = new Date().toISOString();
  const source = createSiteSource({
    ...content,
    hasIndexes: false,
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
  const moved = createRedirects(content.redirects);
  const hasPage = (path: string) => source.page(path) !== undefined;
  const untranslated = createEditionRedirects({ editions: content.editions, hasPage });
  const redirect: Redirects = (request) => moved(request) ?? untranslated(request);
  const findings = await steps.describe(content);
  const author = {
    pages: content.pages,
    problems: [...content.problems, ...findings],
    records,
    index,
  };
  return { source, content, files, redirect, errors, findings, author };
}

/** Serves the former state on, and tells the mistakes. */
function failedDraft(former: Draft, errors: ContentProblem[], problems: ContentProblem[]): Draft {
  return { ...former, errors, findings: [], author: { ...former.author, problems } };
}
