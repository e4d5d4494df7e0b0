/**
 * The built site, attacked from within: its content (records of the index, texts of a page) and its output (the HTML
 * from the template) contain hostile markup. `?case=` in an address chooses the inserted text.
 */
import { parseEnvironment } from "#server/environment.ts";
import { buildFolders } from "#server/pages/build-folders.ts";
import { loadBuiltPages } from "#server/pages/built-pages.ts";
import { loadServerBuild } from "#server/pages/load-server-build.ts";
import { loadSiteSource } from "#server/pages/load-site-source.ts";
import { createApp } from "#server/app.ts";
import type { PageOrigin } from "#server/ground.ts";
import { openHouse } from "#server/open-house.ts";
import { openOrClose } from "#platform/house/open-or-close.ts";
import { consoleLog } from "#platform/log/log.ts";
import { listen } from "#server/port/listen.ts";
import { createSiteHandler } from "#site/.server/site-handler.ts";
import { staticFile } from "#platform/http/static-files.ts";
import { hostileMarkup, hostileTexts, upload } from "./hostile-markup.ts";

const env = parseEnvironment(process.env);
const folders = buildFolders();
const status = () => ({ startedAt: "", pages: 1, records: 1, indexBytes: 1, provider: "embedded" });
const hit = {
  objectID: "1",
  url: "javascript:top.hostile='hit'",
  hierarchy_lvl0: hostileMarkup,
  hierarchy_lvl1: hostileMarkup,
  content: hostileMarkup,
  _formatted: {
    hierarchy_lvl0: `__ais-highlight__${hostileMarkup}__/ais-highlight__`,
    hierarchy_lvl1: hostileMarkup,
    content: hostileMarkup,
  },
};
const { source } = await loadSiteSource(folders, env.SITE_ORIGIN, {
  status,
  search: ({ queries }) =>
    Promise.resolve({
      results: queries.map(({ indexUid }) => ({
        indexUid,
        query: hostileMarkup,
        hits: [hit],
        processingTimeMs: 1,
        queryID: hostileMarkup,
        estimatedTotalHits: 1,
      })),
    }),
});
const handle = createSiteHandler(await loadServerBuild(folders), "production", {
  ...source,
  page: (path) => {
    const page = source.page(path);
    return (
      page && {
        ...page,
        title: `${page.title}${hostileMarkup}`,
        description: hostileMarkup,
        html: page.html + hostileMarkup,
        crumbs: [{ label: hostileMarkup }],
        updated: "2026-01-01",
      }
    );
  },
});

/** The template's output with a text after a place that every page has. */
async function render(request: Request): Promise<Response> {
  const chosen = new URL(request.url).searchParams.get("case") ?? "";
  const [place, text] = hostileTexts[chosen] ?? ["<body>", ""];
  const response = await handle(request);
  const html = (await response.text()).replace(place, () => place + text);
  return new Response(html, { status: response.status, headers: response.headers });
}

const built = await loadBuiltPages(folders, env, consoleLog);
const pages: PageOrigin = {
  ...built,
  async openPages(search) {
    const { missing: _, ...rest } = await built.openPages(search);
    const files = new Map([...rest.files].filter(([path]) => path.startsWith("/assets/")));
    files.set("/upload.js", staticFile("upload.js", Buffer.from(upload)));
    return { ...rest, files, render };
  },
};
const house = await openOrClose((opened) =>
  openHouse(env, { log: consoleLog, loadPages: () => Promise.resolve(pages) }, opened),
);
await listen(createApp(house), env.HOST, env.PORT);
console.log("listening");
