import { useState } from "react";
import { Icon } from "../ui/icon.tsx";
import { SiteLink } from "../ui/site-link.tsx";
import { SUGGESTIONS_PLACE } from "./suggestions-place.ts";

const SUGGESTIONS_ID = "suggestions";

/** Shown for an address below /docs that has no page; the tree and the search box stay. */
export function MissingPage() {
  return (
    <article className="doc-col">
      <div className="blank">
        <Icon name="circle-help" className="blank-icon" />
        <h1>Page not found</h1>
        <p>The address may have moved, or it was never here. The search box above knows every page.</p>
        <Suggestions />
        <div className="blank-actions">
          <SiteLink className="text-link" to="/docs">
            Start with the documentation
          </SiteLink>
        </div>
      </div>
    </article>
  );
}

/** Pages the reader may have meant. Only the server knows them; React keeps the server's HTML. */
function Suggestions() {
  const [html] = useState(() =>
    import.meta.env.SSR ? SUGGESTIONS_PLACE : (document.getElementById(SUGGESTIONS_ID)?.innerHTML ?? ""),
  );
  return (
    <div
      id={SUGGESTIONS_ID}
      className="static"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
