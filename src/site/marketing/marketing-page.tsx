import { StaticHtml } from "../docs/static-html.tsx";

/** A marketing page: React renders the frame and places the content, which is HTML that it never renders again. */
export function MarketingPageView({ html }: { html: string | null }) {
  return (
    <main id="content">
      <StaticHtml part="body" html={html === null ? null : { body: html }} />
    </main>
  );
}
