/**
 * The parts of a page that never change once shown, as HTML strings: rendered on the server by components
 * that could also run in the browser, and shipped once (decisions/001). Link delegation handles the links in
 * them.
 */
import { renderToStaticMarkup } from "react-dom/server";
import type { EditionFrame, PageHtml, SitePage } from "../site-source.ts";
import { selectTabs } from "./select-tabs.ts";
import { setupPanel } from "./setup-panel.ts";
import { docsPageData } from "../structured-data.server.ts";
import { asksForSetup, setupOfAddress, tabsOfSetup } from "./anywhere/setup/setup.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { PageHead } from "./page-head.tsx";
import { Pager } from "./pager.tsx";
import { InlineToc, Toc } from "./toc.tsx";

interface PageRequest {
  /** Path of the page's preview image. */
  image: string;
  origin: string;
  /** The query of the requested address. */
  search: string;
  edition: EditionFrame | undefined;
}

/** Between the breadcrumbs and the actions. */
function OtherLanguages({ languages }: Pick<SitePage, "languages">) {
  return languages.map(({ language, name, path }) => (
    <a
      key={language}
      className="text-link"
      style={{ marginLeft: "auto", padding: "4px 0", fontSize: "0.875rem" }}
      href={path}
      hrefLang={language}
      lang={language}
    >
      {name}
    </a>
  ));
}

export function renderPageHtml(page: SitePage, { image, origin, search, edition }: PageRequest): PageHtml {
  const t = (english: string) => edition?.words[english] ?? english;
  const setup = setupOfAddress(search);
  const panel = asksForSetup(search) ? setupPanel(setup) : "";
  const head = renderToStaticMarkup(
    <>
      <PageHead
        title={page.title}
        lead={page.description}
        isPreview={page.isPreview}
        isDraft={page.isDraft}
      />
      <InlineToc headings={page.headings} t={t} />
    </>,
  );
  return {
    crumbs:
      renderToStaticMarkup(
        <>
          <Breadcrumbs crumbs={page.crumbs} t={t} />
          <OtherLanguages languages={page.languages.filter(({ path }) => path !== page.path)} />
        </>,
      ) + docsPageData(page, image, origin),
    body: `${head}${panel}<div id="prose" class="prose">${selectTabs(page.html, tabsOfSetup(setup))}</div>`,
    pager: renderToStaticMarkup(<Pager previous={page.previous} next={page.next} t={t} />),
    toc: renderToStaticMarkup(<Toc headings={page.headings} lang={edition?.language} t={t} />),
  };
}
