import sansUrl from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url";
import type { ReactNode } from "react";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import { bootScript } from "virtual:boot-script";
import type { Route } from "./+types/root";
import { ErrorPage } from "./ui/error-page.tsx";
import "./styles/site.css";
import { favicon } from "./ui/favicon.ts";

export function Layout({ children }: { children: ReactNode }) {
  return (
    // The boot script sets the theme and the class `js` before React sees the element.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <script
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? bootScript : "" }}
        />
        <link rel="preload" href={sansUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href={favicon} type="image/svg+xml" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage status={isRouteErrorResponse(error) ? error.status : 500} />;
}
