import { watch } from "node:fs";
import { join } from "node:path";
import type { ServerBuild } from "react-router";
import { createServer } from "vite";
import { parseEnvironment } from "../../src/environment.ts";
import { formatProblem } from "../../src/content/problem.ts";
import { createApp, listen, probePort } from "../../src/server.ts";
import { buildIndex } from "../../src/search/index.ts";
import { createSiteSource } from "../../src/site/server/create-site-source.ts";
import { createSiteHandler } from "../../src/site/server/site-handler.ts";
import { textFiles } from "../../src/site/server/text-files.ts";
import type { SiteSource } from "../../src/site/site-source.ts";
import { describePages } from "./content-check.ts";
import { build } from "./build.ts";
import { compileContent } from "./content-step.ts";
import { docsIndexSettings, docsRecords } from "./index-step.ts";
import { root } from "./folders.ts";
import { describeListenError, readEnvironment } from "./listening.ts";
import { loadConsoleFiles } from "./load-runtime.ts";
import { openSiteTelemetry } from "./open-site-telemetry.ts";
import { createDocsSearch, type DocsSearch } from "./open-search.ts";
import { spriteUrl } from "./sprite-plugin.ts";
import { UserError } from "./user-error.ts";

interface Draft {
  source: SiteSource;
  markdown: Map<string, string>;
  /** Mistakes that stop a build; shown, while the last good state is served. */
  errors: string[];
  /** What `npm test` would find besides; shown, and the page is served. */
  findings: string[];
}

/** Hot reload of code (Vite) and of content: a saved page is compiled, indexed and shown at once. */
export async function startDevelopment(): Promise<void> {
  const env = readEnvironment(parseEnvironment);
  const fail = (error: unknown) => {
    throw new UserError(describeListenError(error, env.HOST, env.PORT));
  };
  await probePort(env.HOST, env.PORT).catch(fail);
  const telemetry = openSiteTelemetry(env, { environment: "development", release: "development" });
  const search = await createDocsSearch(env, telemetry.countSearches);
  let draft = await compileDraft(search, env.SITE_ORIGIN);
  // Not hot: the console is built once, when its code has changed since.
  const consoleFiles = await loadConsoleFiles(await build({ origin: env.SITE_ORIGIN, only: ["console"], log: console.log }));
  const vite = await createServer({ root, server: { middlewareMode: true }, appType: "custom" });

  const render = async (request: Request) => {
    const markdown = draft.markdown.get(new URL(request.url).pathname);
    if (markdown !== undefined) return new Response(markdown, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
    const serverBuild = (await vite.ssrLoadModule("virtual:react-router/server-build")) as ServerBuild;
    return createSiteHandler(serverBuild, "development", draft.source)(request);
  };
  const app = createApp({
    files: new Map(),
    pathFor: (path) => path,
    searchApp: search.app,
    telemetry,
    ...(consoleFiles && { consoleFiles }),
    close: async () => void (await Promise.all([search.close(), telemetry.close()])),
    render,
    isDevelopment: true,
  });

  const report = () => {
    for (const error of [...draft.errors, ...draft.findings]) console.error(`\n${error}`);
    if (draft.errors[0]) vite.ws.send({ type: "error", err: { message: draft.errors.join("\n\n"), stack: "" } });
  };
  watchContent(async () => {
    draft = await compileDraft(search, env.SITE_ORIGIN, draft);
    report();
    // A page is data, not a module: the browser loads it anew, at its scroll position.
    if (draft.errors.length === 0) vite.ws.send({ type: "full-reload" });
  });
  await listen(app, env.HOST, env.PORT, vite.middlewares).catch(fail);
  console.log(`Millrace is at ${env.SITE_ORIGIN} (development)`);
  report();
}

async function compileDraft(search: DocsSearch, origin: string, former?: Draft): Promise<Draft> {
  const content = await compileContent();
  const errors = content.problems.filter((problem) => problem.severity === "error").map(formatProblem);
  if (errors.length > 0 && former) return { ...former, errors, findings: [] };
  const records = docsRecords(content.pages, content.navigation, origin);
  const bytes = buildIndex(records.map((record) => ({ ...record })), docsIndexSettings());
  search.replace(bytes);
  const startedAt = new Date().toISOString();
  const source = createSiteSource({
    ...content,
    origin,
    spriteUrl,
    search: search.ask,
    status: () => ({
      startedAt,
      pages: content.pages.length,
      records: records.length,
      indexBytes: bytes.length,
      provider: "embedded",
    }),
  });
  const markdown = new Map(textFiles(content.pages, origin).map((file) => [`/${file.name}`, file.text]));
  return { source, markdown, errors, findings: await describePages(content.pages) };
}

/** Editors save in several steps: changes that come together are handled once. */
function watchContent(onChange: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  watch(join(root, "content"), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      onChange().catch((error: unknown) => console.error(error));
    }, 60);
  });
}
