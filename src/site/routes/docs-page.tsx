import { data, isRouteErrorResponse } from "react-router";
import { siteConfig } from "#config";
import { trimTrailingSlashes } from "#platform/text/trim-slashes.ts";
import type { Route } from "./+types/docs-page";
import { pageDates } from "../.server/page-dates.ts";
import { DocsPage } from "../docs/docs-page.tsx";
import { MissingPage } from "../docs/missing-page.tsx";
import { renderPageHtml } from "../docs/static-page.tsx";
import { pageAddresses } from "../editions.ts";
import { feedOf } from "../feed-address.ts";
import { addressMeta, previewMeta } from "../preview-meta.ts";
import { documentPartsContext, siteSourceContext, type PageSummary } from "../site-source.ts";

export function loader({ context, params, request }: Route.LoaderArgs) {
  const site = context.get(siteSourceContext);
  const path = trimTrailingSlashes(`${params.edition ? `/${params.edition}` : ""}/docs/${params["*"]}`);
  const page = site.page(path);
  const parts = context.get(documentPartsContext);
  parts.tree = site.tree(path);
  // 404 only if the page is known not to exist; see `site.page`.
  if (!page) throw data(null, 404);
  const { title, description, editUrl } = page;
  const image = site.image(path);
  const edition = site.edition(path);
  const summary: PageSummary = {
    path,
    title,
    description,
    image,
    ...pageDates(page, edition),
    ...pageAddresses(site.origin, path, page.languages),
  };
  if (editUrl) summary.editUrl = editUrl;
  const html = renderPageHtml(page, {
    image,
    origin: site.origin,
    search: new URL(request.url).search,
    edition,
  });
  Object.assign(parts, html);
  if (parts.isDocument) return { page: summary, origin: site.origin };
  return { page: summary, origin: site.origin, html, branches: site.branches(path) };
}

export function meta({ loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  if (!loaderData)
    return [{ title: `Page not found – ${siteConfig.name} docs` }, { name: "robots", content: "noindex" }];
  const { page, origin } = loaderData;
  const title = `${page.title} – ${siteConfig.name} docs`;
  return [
    { title },
    { name: "description", content: page.description },
    ...addressMeta(origin, page.path, page.addresses),
    { tagName: "link", rel: "alternate", type: "text/markdown", href: `${page.path}.md` },
    { tagName: "link", rel: "alternate", type: "application/atom+xml", href: feedOf(page.path) },
    ...previewMeta({ ...page, type: "article", alt: title, origin }),
  ];
}

export default function DocsPageRoute({ loaderData }: Route.ComponentProps) {
  const { page, html } = loaderData;
  return <DocsPage key={page.path} page={page} html={html ?? null} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <MissingPage />;
  throw error;
}
