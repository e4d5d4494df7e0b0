import "../styles/marketing.css";
import "../styles/marketing-page.css";
import { StaticHtml } from "../docs/static-html.tsx";
import { SiteFrame } from "./site-frame.tsx";

/** A marketing page: React has the frame, the content is HTML that it places and never renders again. */
export function MarketingPageView({ html }: { html: string | null }) {
  return (
    <SiteFrame>
      <main id="content">
        <StaticHtml part="body" html={html === null ? null : { body: html }} />
      </main>
    </SiteFrame>
  );
}
