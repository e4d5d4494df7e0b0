import { Outlet, useRouteError } from "react-router";
import { siteConfig } from "#config";
import type { Route } from "./+types/docs-layout";
import { DocsLayout } from "../docs/docs-layout.tsx";
import { MAX_QUERY_LENGTH, searchOnServer, type InitialResults } from "../docs/search/protocol.ts";
import { siteSourceContext } from "../site-source.ts";
import sheet from "../styles/sheet-docs.css?url";
import { ErrorPage } from "../ui/error-page.tsx";

export function links(): Route.LinkDescriptors {
  return [{ rel: "stylesheet", href: sheet }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, MAX_QUERY_LENGTH);
  if (!query) return { query, serverState: { initialResults: null } };
  const site = context.get(siteSourceContext);
  const initialResults: InitialResults | null = await searchOnServer(site.search, {
    indexUid: siteConfig.search.indexName,
    query,
  }).catch((error: unknown) => {
    // The page still works: the browser asks again and shows the result.
    console.error(`Search for a page failed: ${error instanceof Error ? error.message : error}`);
    return null;
  });
  return { query, serverState: { initialResults } };
}

export default function DocsLayoutRoute({ loaderData }: Route.ComponentProps) {
  return (
    <DocsLayout query={loaderData.query} initialResults={loaderData.serverState.initialResults}>
      <Outlet />
    </DocsLayout>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (import.meta.env.SSR) console.error(error);
  return <ErrorPage status={500} />;
}
