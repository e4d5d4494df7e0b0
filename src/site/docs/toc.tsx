import type { Heading } from "#docs/content/types.ts";
import { Icon } from "../ui/icon.tsx";

/**
 * Marks the reader's position before the outline is painted. Runs in the server's HTML only; after a client
 * navigation the page makes the same call.
 */
export const OUTLINE_SCRIPT = "window.followOutline?.()";

interface TocProps {
  /** All headings of the page; h2 and h3 are shown. */
  headings: Heading[];
  t: (english: string) => string;
}

interface FullTocProps {
  /** Absent in the site's own. */
  lang: string | undefined;
  chat?: { label: string; to: string } | undefined;
}

/** A page with fewer than two headings needs no outline. */
function outlineOf(headings: Heading[]): Heading[] {
  const shown = headings.filter((heading) => heading.depth <= 3);
  return shown.length < 2 ? [] : shown;
}

/**
 * The outline next to the article. `behaviors/outline.ts` marks the current link with
 * `aria-current="location"`.
 */
export function Toc({ headings, t, lang, chat }: TocProps & FullTocProps) {
  const outline = outlineOf(headings);
  if (outline.length === 0) return null;
  return (
    <aside className="toc" aria-labelledby="toc-heading" lang={lang}>
      <div className="toc-in">
        <h2 id="toc-heading">{t("On this page")}</h2>
        <TocList outline={outline} />
        {chat && (
          <a className="toc-foot" href={chat.to}>
            <Icon name="message-circle" />
            <span>{chat.label}</span>
          </a>
        )}
      </div>
      <script dangerouslySetInnerHTML={{ __html: OUTLINE_SCRIPT }} />
    </aside>
  );
}

/** The same outline, folded, below the lead; shown if there is no room next to the article. */
export function InlineToc({ headings, t }: TocProps) {
  const outline = outlineOf(headings);
  if (outline.length === 0) return null;
  return (
    <details className="toc-inline">
      <summary>
        <Icon name="list" />
        <span>{t("On this page")}</span>
        <Icon name="chevron-down" className="toc-caret" />
      </summary>
      <TocList outline={outline} />
    </details>
  );
}

function TocList({ outline }: { outline: Heading[] }) {
  return (
    <ol className="toc-list">
      {outline.map((heading) => (
        <li key={heading.id} className={heading.depth === 3 ? "is-deep" : undefined} lang={heading.lang}>
          <a href={`#${heading.id}`}>{heading.text}</a>
        </li>
      ))}
    </ol>
  );
}
