import type { createRequestHandler, RouterContextProvider, ServerBuild } from "react-router";
import type { SiteSource } from "../site-source.ts";
import { contentSecurityPolicy } from "./page-policy.ts";

/** The exports of `entry.server.tsx` that React Router does not use. */
interface SiteEntry {
  createSiteContext(source: SiteSource, isDocument: boolean): RouterContextProvider;
  createRequestHandler: typeof createRequestHandler;
  /** The inline scripts of the pages' template. */
  inlineScripts: string[];
}

// React Router's type includes only the exports that it uses.
const siteEntry = (build: ServerBuild) => build.entry.module as unknown as SiteEntry;

/** The Content-Security-Policy of a build's pages: the scripts of its template, known before any rendering. */
export function pagePolicy(build: ServerBuild): string {
  return contentSecurityPolicy(siteEntry(build).inlineScripts);
}

/**
 * React Router's handler with the site's content in its context, for both requests and prerendering. Both
 * context and handler come from the built code: the bundle has its own copies of the context's keys, which are
 * objects, and in development the router is a separate build.
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
