import { StaticHtml } from "../docs/static-html.tsx";

/** A marketing page: React has the frame, the content is HTML that it places and never renders again. */
export function MarketingPageView({ html }: { html: string | null }) {
  return (
    <main id="content">
      <StaticHtml part="body" html={html === null ? null : { body: html }} />
    </main>
  );
}
