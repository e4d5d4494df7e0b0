import { data, isRouteErrorResponse } from "react-router";
import { siteConfig } from "#config";
import type { Route } from "./+types/docs-page";
import { DocsPage } from "../docs/docs-page.tsx";
import { MissingPage } from "../docs/missing-page.tsx";
import { documentPartsContext, siteSourceContext } from "../site-source.ts";

export function loader({ context, params }: Route.LoaderArgs) {
  const site = context.get(siteSourceContext);
  const path = `/docs/${params["*"]}`.replace(/\/+$/, "");
  const page = site.page(path);
  const parts = context.get(documentPartsContext);
  parts.tree = site.tree(path);
  // 404 is said only of a page that is known to be absent; see `site.page`.
  if (!page) throw data(null, 404);
  const { html, ...rest } = page;
  const url = { canonical: site.origin + path, image: `${site.origin}/og-docs.png` };
  if (!parts.isDocument) return { page: rest, html, ...url };
  parts.article = html;
  return { page: rest, html: null, ...url };
}

export function meta({ loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  if (!loaderData)
    return [{ title: `Page not found – ${siteConfig.name} docs` }, { name: "robots", content: "noindex" }];
  const { page, canonical, image } = loaderData;
  return [
    { title: `${page.title} – ${siteConfig.name} docs` },
    { name: "description", content: page.description },
    { tagName: "link", rel: "canonical", href: canonical },
    { tagName: "link", rel: "alternate", type: "text/markdown", href: `${page.path}.md` },
    { property: "og:type", content: "article" },
    { property: "og:title", content: page.title },
    { property: "og:description", content: page.description },
    { property: "og:url", content: canonical },
    { property: "og:image", content: image },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:image", content: image },
  ];
}

export default function DocsPageRoute({ loaderData }: Route.ComponentProps) {
  return <DocsPage page={loaderData.page} html={loaderData.html} url={loaderData.canonical} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <MissingPage />;
  throw error;
}
