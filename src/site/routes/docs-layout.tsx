import { Outlet, redirect, useRouteError } from "react-router";
import { siteConfig } from "#config";
import type { Route } from "./+types/docs-layout";
import { DocsLayout } from "../docs/docs-layout.tsx";
import { causeOf } from "../.server/cause-of.ts";
import { searchForSetup } from "../docs/anywhere/setup/search-for-setup.ts";
import { setupOfAddress } from "../docs/anywhere/setup/setup.ts";
import type { SearchBody } from "../docs/search/protocol.ts";
import { queryOf, searchPage } from "../docs/search/search-page.server.tsx";
import { EditionContext } from "../docs/use-words.ts";
import { isRefined, UNREFINED } from "../docs/search/refinement.ts";
import { documentPartsContext, siteSourceContext } from "../site-source.ts";
import sheet from "../styles/sheet-docs.css?url";
import { ErrorPage } from "../ui/error-page.tsx";

export function links(): Route.LinkDescriptors {
  return [{ rel: "stylesheet", href: sheet }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { search, pathname } = new URL(request.url);
  const site = context.get(siteSourceContext);
  const cause = causeOf(search, site.errors);
  if (cause !== null) throw redirect(cause);
  const setup = setupOfAddress(search);
  const send = (body: SearchBody) => searchForSetup(site.search, body, setup);
  const edition = site.edition(pathname);
  const index = edition?.index ?? siteConfig.search.indexName;
  const found = await searchPage(send, index, search).catch((error: unknown) => {
    // The page still works: the browser asks again and shows the result.
    console.error(`Search for a page failed: ${error instanceof Error ? error.message : error}`);
    return { query: queryOf(search), refinement: UNREFINED, initialResults: null, filters: "" };
  });
  const { query, refinement, initialResults, filters } = found;
  context.get(documentPartsContext).filters = filters;
  // This is in every document, so absent values have no key.
  const refined = isRefined(refinement) ? { refinement } : {};
  return { query, ...refined, serverState: { initialResults }, ...(edition && { edition }) };
}

export default function DocsLayoutRoute({ loaderData }: Route.ComponentProps) {
  return (
    <EditionContext value={loaderData.edition}>
      <DocsLayout
        query={loaderData.query}
        refinement={loaderData.refinement ?? UNREFINED}
        initialResults={loaderData.serverState.initialResults}
      >
        <Outlet />
      </DocsLayout>
    </EditionContext>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (import.meta.env.SSR) console.error(error);
  return <ErrorPage status={500} />;
}
