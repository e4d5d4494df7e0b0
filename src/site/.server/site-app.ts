/** Everything for pages: built files, one address per page, pages rendered on request, and missing pages. */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { serveStaticFile, type StaticFiles } from "#platform/http/static-files.ts";
import { markShared } from "#platform/http/connections/unsent-answers.ts";
import { trimSlashes } from "#platform/text/trim-slashes.ts";
import type { CommunityCount } from "./community-count.ts";
import type { Redirects } from "./redirects.ts";
import { type Setup, setupOfAddress } from "../docs/anywhere/setup/setup.ts";
import { decodePath, isNegotiated, isRenderedPage, shortSetupAddress } from "./page-paths.ts";

export interface SiteAppOptions {
  files: StaticFiles;
  /** Maps a request's path to the path of the file that answers it (content negotiation). */
  pathFor(pathname: string, request: Request): string;
  render(request: Request): Promise<Response>;
  /** Answers the address of a page that has moved. */
  redirect?: Redirects;
  /** A page's Markdown for a setup; undefined if the file at the path already matches. */
  markdownFor?(path: string, setup: Setup): string | undefined;
  /** Answers an address without a page; undefined for an address with a page. Absent in development. */
  missing?(request: Request): Response | undefined;
  /** The Content-Security-Policy of rendered pages; absent in development, where Vite injects scripts. */
  csp?: string;
  /** Absent if `site.config.ts` names no chat. */
  community?: CommunityCount;
}

export interface PageLimits {
  /** Takes a turn for a built file. @returns undefined once it may be answered, or a refusal */
  takeTurn: (context: Context) => Promise<Response | undefined>;
  /** Limits rendered pages, which cost more than files, and also takes their turns. */
  limitPages: MiddlewareHandler;
  refuseWithoutRoom: MiddlewareHandler;
}

/** @param site read again for every request: in development its files change */
export function createSiteApp(
  site: SiteAppOptions,
  { takeTurn, limitPages, refuseWithoutRoom }: PageLimits,
): Hono {
  const app = new Hono();

  // The number of people online in the community's chat is requested at intervals, and never waited for.
  app.use(async (_context, next) => {
    void site.community?.refresh();
    await next();
  });

  // Built files, from memory and already compressed.
  app.use(async (context, next) => {
    const url = new URL(context.req.url);
    const { pathname } = url;
    const path = site.pathFor(pathname, context.req.raw);
    const isFile = path.endsWith(".md") ? !markdownOf(site, path, url) : !isRenderedPage(url);
    const response =
      isFile && serveStaticFile(site.files, path, context.req.raw, isNegotiated(decodePath(pathname)));
    if (!response) return next();
    const refusal = await takeTurn(context);
    if (refusal) return refusal;
    markShared(context);
    context.res = response;
    return undefined;
  });

  // Redirects to one address for each page, and from pages that have moved.
  app.use(async (context, next) => {
    const url = new URL(context.req.url);
    const { pathname, search } = url;
    const short = shortSetupAddress(url);
    const isLong = pathname !== "/" && pathname.endsWith("/");
    const answer = short
      ? context.redirect(short, 302)
      : isLong
        ? context.redirect(`/${trimSlashes(pathname)}${search}`, 308)
        : site.redirect?.(context.req.raw);
    return answer ? ((await takeTurn(context)) ?? answer) : next();
  });

  // From here on, each answer is created for its request.
  app.use(refuseWithoutRoom);
  app.use(compress());
  app.use(limitPages);
  app.all("*", (context) => renderPage(site, context));
  return app;
}

async function renderPage(site: SiteAppOptions, context: Context): Promise<Response> {
  // Pages only allow reading; the renderer would return an error page and log a stack.
  if (!["GET", "HEAD"].includes(context.req.method))
    return context.text("This address accepts only GET and HEAD.", 405, { Allow: "GET, HEAD" });
  const url = new URL(context.req.url);
  const isShared = isNegotiated(decodePath(url.pathname));
  const path = site.pathFor(url.pathname, context.req.raw);
  const markdown = markdownOf(site, path, url);
  if (markdown !== undefined)
    return context.body(markdown, 200, {
      "Content-Type": "text/markdown; charset=utf-8",
      "Cache-Control": "no-store",
      ...(isShared && { Vary: "Accept, Accept-Encoding" }),
    });
  const missing = site.missing?.(context.req.raw);
  if (missing) return missing;
  const response = await site.render(context.req.raw);
  if (!response.headers.get("content-type")?.startsWith("text/html")) return response;
  const { headers } = response;
  if (site.csp) headers.set("Content-Security-Policy", site.csp);
  if (isShared) headers.set("Vary", "Accept, Accept-Encoding");
  headers.set("Cache-Control", "no-store");
  return response;
}

function markdownOf(site: SiteAppOptions, path: string, { search }: URL): string | undefined {
  if (!path.endsWith(".md") || !search) return undefined;
  const setup = setupOfAddress(search);
  return setup.size > 0 ? site.markdownFor?.(path.slice(0, -".md".length), setup) : undefined;
}
