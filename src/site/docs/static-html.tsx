import { useContext, useState } from "react";
import { DocumentPartsContext } from "../document-parts.tsx";
import type { PageHtml } from "../site-source.ts";

type Part = keyof PageHtml | "tree" | "filters";

interface StaticHtmlProps {
  part: Part;
  /** The page's HTML; null when the document already contains it. */
  html?: Partial<Record<Part, string>> | null;
}

/**
 * HTML that React inserts and never renders again. The server takes it from the request's context, the
 * hydrating client from the existing document, and a client navigation from the loader's data.
 */
export function StaticHtml({ part, html }: StaticHtmlProps) {
  const parts = useContext(DocumentPartsContext);
  const id = `static-${part}`;
  const [own] = useState(
    () => html?.[part] || (parts ? parts[part] : (document.getElementById(id)?.innerHTML ?? "")),
  );
  // In development, the loader runs again after an edit of its sources.
  const edited = import.meta.env.DEV && html?.[part];
  return (
    <div
      id={id}
      className="static"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: edited || own }}
    />
  );
}
