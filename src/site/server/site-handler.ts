import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";
import type { SiteSource } from "../site-source.ts";

/** What `entry.server.tsx` exports besides React Router's own. */
interface SiteEntry {
  createSiteContext(source: SiteSource, isDocument: boolean): RouterContextProvider;
}

/**
 * React Router's handler with the site's content in its context; for requests and for prerendering alike. The context is
 * made by the built code: its keys are objects, and the bundle has its own.
 */
export function createSiteHandler(
  build: ServerBuild,
  mode: "production" | "development",
  source: SiteSource,
) {
  const handle = createRequestHandler(build, mode);
  // The type knows only the exports that React Router asks for.
  const entry = build.entry.module as unknown as SiteEntry;
  return (request: Request): Promise<Response> => {
    const isDocument = !new URL(request.url).pathname.endsWith(".data");
    return handle(request, entry.createSiteContext(source, isDocument));
  };
}
