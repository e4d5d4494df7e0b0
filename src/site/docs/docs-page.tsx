import { useEffect } from "react";
import type { PageHtml, PageSummary } from "../site-source.ts";
import { startPage } from "./behaviors/start-page.ts";
import { Feedback } from "./feedback.tsx";
import { PageActions } from "./page-actions.tsx";
import { sendFeedback } from "./send-feedback.ts";
import { StaticHtml } from "./static-html.tsx";
import { useWords } from "./use-words.ts";

interface DocsPageProps {
  page: PageSummary;
  /** null when the document that React hydrates already contains it. */
  html: PageHtml | null;
}

/** A documentation page; use its path as `key`, so that no state carries over to the next page. */
export function DocsPage({ page, html }: DocsPageProps) {
  useEffect(() => {
    const prose = document.querySelector<HTMLElement>("#prose");
    return prose ? startPage(prose) : undefined;
  }, []);
  const { lang } = useWords();
  return (
    <>
      <article className="doc-col" lang={lang}>
        <div className="doc-top">
          <StaticHtml part="crumbs" html={html} />
          <PageActions path={page.path} editUrl={page.editUrl} />
        </div>
        <StaticHtml part="body" html={html} />
        <Feedback
          updated={page.updated}
          ran={page.ran}
          onSend={(answer, text) => sendFeedback(page.path, answer, text)}
        />
        <StaticHtml part="pager" html={html} />
      </article>
      <StaticHtml part="toc" html={html} />
    </>
  );
}
