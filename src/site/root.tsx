import { useContext, type ReactNode } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  useLocation,
  UNSAFE_useScrollRestoration as useScrollRestoration,
} from "react-router";
import { bootUrl, earlyScript } from "virtual:boot-scripts";
import { siteConfig } from "#config";
import type { Route } from "./+types/root";
import { DocumentPartsContext } from "./document-parts.tsx";
import sansUrl from "#ui/fonts/instrument-sans.woff2?url";
import { languageOf } from "./ui/site-link.tsx";
import { ErrorPage } from "./ui/error-page.tsx";
import docsSheet from "./styles/sheet-docs.css?url";

export function Layout({ children }: { children: ReactNode }) {
  // From the address, because the "not found" page has no data. What is not translated is in the site's language.
  const translated = languageOf(useLocation().pathname);
  return (
    // The boot script sets the theme and the class `js` before React sees the element.
    <html lang={translated ?? siteConfig.search.language} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <script
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? earlyScript : "" }}
        />
        {/* Marks the reader's position in the outline; browsers that support it wait for this before painting. */}
        {import.meta.env.SSR && <script async blocking="render" src={bootUrl} />}
        <link rel="preload" href={sansUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href="/favicon.svg" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link
          rel="search"
          type="application/opensearchdescription+xml"
          href="/opensearch.xml"
          title={siteConfig.name}
        />
        <Meta />
        <Links />
      </head>
      <body lang={translated && siteConfig.search.language}>
        {children}
        {/* The development client needs its scripts immediately for hot reload. */}
        {import.meta.env.DEV ? <Scripts /> : <ClientText />}
      </body>
    </html>
  );
}

/** Replaces React Router's scripts: their data as text, which the boot script parses at the first intent. */
function ClientText() {
  const client = useContext(DocumentPartsContext)?.client;
  return (
    <script
      type="text/x-client"
      data-preload={client?.preload}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: client?.text ?? "" }}
    />
  );
}

/**
 * Restores scroll positions of client navigations, without the inline script of `<ScrollRestoration>`: before
 * hydration the browser itself restores them.
 */
export default function Root() {
  useScrollRestoration();
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <>
      {/* The failed route's style sheet is no longer loaded. */}
      <link rel="stylesheet" href={docsSheet} />
      <ErrorPage status={isRouteErrorResponse(error) ? error.status : 500} />
    </>
  );
}
