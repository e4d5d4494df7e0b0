import { renderToReadableStream } from "react-dom/server";
import { RouterContextProvider, ServerRouter, type EntryContext } from "react-router";
import { earlyScript, treeScript } from "virtual:boot-scripts";
import { DocumentPartsContext } from "./document-parts.tsx";
import { clientText } from "./.server/client-text.ts";
import { linkToPassage } from "./docs/anywhere/passages.ts";
import { OUTLINE_SCRIPT } from "./docs/toc.tsx";
import { documentPartsContext, siteSourceContext, type SiteSource } from "./site-source.ts";

/** Loaders have finished by now, so a render that takes longer than this hangs. */
const RENDER_TIMEOUT_MS = 10_000;

// React Router passes five.
// oxlint-disable-next-line max-params
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const parts = { ...loadContext.get(documentPartsContext), linkToPassage };
  // In development React Router writes its scripts itself.
  if (import.meta.env.PROD) parts.client = await clientText(routerContext);
  let failure: unknown;
  const stream = await renderToReadableStream(
    <DocumentPartsContext value={parts}>
      <ServerRouter context={routerContext} url={request.url} />
    </DocumentPartsContext>,
    {
      signal: AbortSignal.timeout(RENDER_TIMEOUT_MS),
      onError(error) {
        failure = error;
      },
    },
  );
  await stream.allReady;
  if (failure) throw failure;
  return new Response(await new Response(stream).text(), { status, headers });
}

/** All inline scripts of the pages: the Content-Security-Policy allows these and no others. */
export const inlineScripts = [earlyScript, treeScript, OUTLINE_SCRIPT];
export { createRequestHandler } from "react-router";

/** The context of one request; see `.server/site-handler.ts`. */
export function createSiteContext(source: SiteSource, isDocument: boolean): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(siteSourceContext, source);
  context.set(documentPartsContext, {
    isDocument,
    tree: "",
    filters: "",
    crumbs: "",
    body: "",
    pager: "",
    toc: "",
  });
  return context;
}
