import type { createRequestHandler, RouterContextProvider, ServerBuild } from "react-router";
import type { SiteSource } from "../site-source.ts";
import { contentSecurityPolicy } from "./page-policy.ts";

/** What `entry.server.tsx` exports besides React Router's own. */
interface SiteEntry {
  createSiteContext(source: SiteSource, isDocument: boolean): RouterContextProvider;
  createRequestHandler: typeof createRequestHandler;
  /** The inline scripts of the pages' template. */
  inlineScripts: string[];
}

// The type knows only the exports that React Router asks for.
const siteEntry = (build: ServerBuild) => build.entry.module as unknown as SiteEntry;

/** The Content-Security-Policy of the pages of a build: what its template runs, known before anything is rendered. */
export function pagePolicy(build: ServerBuild): string {
  return contentSecurityPolicy(siteEntry(build).inlineScripts);
}

/**
 * React Router's handler with the site's content in its context; for requests and for prerendering alike. Both come from
 * the built code: the context's keys are objects, which the bundle has of its own, and in development the router is
 * another build of itself.
 */
export function createSiteHandler(
  build: ServerBuild,
  mode: "production" | "development",
  source: SiteSource,
) {
  const entry = siteEntry(build);
  const handle = entry.createRequestHandler(build, mode);
  return (request: Request): Promise<Response> => {
    const isDocument = !new URL(request.url).pathname.endsWith(".data");
    return handle(request, entry.createSiteContext(source, isDocument));
  };
}
