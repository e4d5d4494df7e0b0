/**
 * The parts of a page that never change once shown, as HTML strings: rendered on the server by components
 * that could also run in the browser, and shipped once (decisions/001). Link delegation handles the links in
 * them.
 */
import { renderToStaticMarkup } from "react-dom/server";
import type { PageHtml, SitePage } from "../site-source.ts";
import { docsPageData } from "../structured-data.server.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { PageHead } from "./page-head.tsx";
import { Pager } from "./pager.tsx";
import { InlineToc, Toc } from "./toc.tsx";

/** `image` is the path of the page's preview image. */
export function renderPageHtml(page: SitePage, image: string, origin: string): PageHtml {
  const head = renderToStaticMarkup(
    <>
      <PageHead title={page.title} lead={page.description} isPreview={page.isPreviewHead} />
      <InlineToc headings={page.headings} />
    </>,
  );
  return {
    crumbs: renderToStaticMarkup(<Breadcrumbs crumbs={page.crumbs} />) + docsPageData(page, image, origin),
    body: `${head}<div id="prose" class="prose">${page.html}</div>`,
    pager: renderToStaticMarkup(<Pager previous={page.previous} next={page.next} />),
    toc: renderToStaticMarkup(<Toc headings={page.headings} />),
  };
}
