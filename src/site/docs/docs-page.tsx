import { useContext, useState } from "react";
import { DocumentPartsContext } from "../document-parts.tsx";
import type { SitePage } from "../site-source.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { Feedback } from "./feedback.tsx";
import { PageActions } from "./page-actions.tsx";
import { PageHead } from "./page-head.tsx";
import { Pager } from "./pager.tsx";
import { sendFeedback } from "./send-feedback.ts";
import { InlineToc, Toc } from "./toc.tsx";

interface DocsPageProps {
  page: Omit<SitePage, "html">;
  /** null when the document that React hydrates has it already. */
  html: string | null;
  /** Absolute address of the page. */
  url: string;
}

export function DocsPage({ page, html, url }: DocsPageProps) {
  return (
    <>
      <article className="doc-col">
        <div className="doc-top">
          <Breadcrumbs crumbs={page.crumbs} />
          <PageActions key={page.path} path={page.path} url={url} editUrl={page.editUrl} />
        </div>
        <PageHead title={page.title} lead={page.description} availability={page.availability} />
        <InlineToc key={`toc ${page.path}`} headings={page.headings} />
        <Prose key={`prose ${page.path}`} html={html} />
        <Feedback
          key={`feedback ${page.path}`}
          updated={page.updated}
          onSend={(answer, text) => sendFeedback(page.path, answer, text)}
        />
        <Pager previous={page.previous} next={page.next} />
      </article>
      <Toc headings={page.headings} />
    </>
  );
}

/** The page's static HTML. The server has it in a context, the hydrating client in the document, later ones in the data. */
function Prose({ html }: Pick<DocsPageProps, "html">) {
  const parts = useContext(DocumentPartsContext);
  const [article] = useState(() => html ?? parts?.article ?? proseInDocument());
  return (
    <div
      id="prose"
      className="prose"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: article }}
    />
  );
}

function proseInDocument(): string {
  return document.querySelector("#prose")?.innerHTML ?? "";
}
