import { lazy, Suspense, useContext } from "react";
import { DocumentPartsContext } from "../../document-parts.tsx";
import { Icon } from "../../ui/icon.tsx";
import { languageOf, SiteLink } from "../../ui/site-link.tsx";
import { snippetOf, type Snippet } from "./hit-snippet.ts";
import { hitPath, hitText, type TextPart } from "./hit-text.ts";
import type { DocsHit } from "./protocol.ts";
import { hitId, type HitSelection } from "./use-hit-selection.ts";

interface HitProps {
  hit: DocsHit;
  index: number;
  isSelected: boolean;
  /** Whether it is an option of the list that the input controls; without a script it is a plain link. */
  isOption: boolean;
  onOpen: HitSelection["onOpen"];
}

/** For authors; not part of a build. */
const WhyThisResult = import.meta.env.DEV
  ? lazy(async () => {
      const { WhyThisResult } = await import("../explain/why-this-result.tsx");
      return { default: WhyThisResult };
    })
  : undefined;

/** One hit: a link with up to six parts, each only when it is present. */
export function Hit({ hit, index, isSelected, isOption, onOpen }: HitProps) {
  const path = hitPath(hit.url);
  const linkTo = useContext(DocumentPartsContext)?.linkToPassage;
  const section = hitText(hit, "hierarchy_lvl0");
  const title = hitText(hit, "hierarchy_lvl1");
  const heading = hitText(hit, "hierarchy_lvl2");
  const lvl3 = hitText(hit, "hierarchy_lvl3");
  const lvl4 = hitText(hit, "hierarchy_lvl4");
  const snippet = snippetOf(hit);
  const option = { role: "option", id: hitId(index), "aria-selected": isSelected, tabIndex: -1 };
  return (
    <li
      className={isSelected ? "hit is-selected" : "hit"}
      lang={languageOf(path)}
      role={isOption && !WhyThisResult ? "presentation" : undefined}
    >
      <SiteLink
        // Without a script, the browser itself marks the passage; with a script, the address is the record's own.
        to={linkTo?.(path, hit) ?? path}
        suppressHydrationWarning
        onClick={(event) => onOpen(hit, event.metaKey || event.ctrlKey || event.shiftKey)}
        {...(isOption ? option : {})}
      >
        {section && (
          <span className="hit-lvl0">
            <Marked parts={section} />
          </span>
        )}
        {(title || heading) && <HitTitle title={title} heading={heading} />}
        {lvl3 && (
          <span className="hit-lvl3">
            <Marked parts={lvl3} />
          </span>
        )}
        {lvl4 && (
          <span className="hit-lvl4">
            <Marked parts={lvl4} />
          </span>
        )}
        <span className="hit-path">{path}</span>
        {snippet && <HitSnippet snippet={snippet} />}
        <span className="hit-enter" aria-hidden="true">
          <Icon name="corner-down-left" />
        </span>
      </SiteLink>
      {WhyThisResult && isOption && (
        <Suspense>
          <WhyThisResult hit={hit} index={index} />
        </Suspense>
      )}
    </li>
  );
}

function HitTitle({ title, heading }: { title: TextPart[] | null; heading: TextPart[] | null }) {
  return (
    <span className="hit-title">
      {title && (
        <span>
          <Marked parts={title} />
        </span>
      )}
      {title && heading && (
        <>
          <span className="vh">›</span>
          <Icon name="chevron-right" className="hit-sep" />
        </>
      )}
      {heading && (
        <span>
          <Marked parts={heading} />
        </span>
      )}
    </span>
  );
}

// Parts of a list have no identity but their position, and are replaced together.
/* oxlint-disable react/no-array-index-key */

function HitSnippet({ snippet }: { snippet: Snippet }) {
  if (snippet.kind === "text")
    return (
      <span className="hit-text">
        <Marked parts={snippet.parts} />
      </span>
    );
  if (snippet.kind === "code")
    return (
      <code className="hit-code">
        {snippet.lines.map((line, index) => (
          <span key={index}>
            <Marked parts={line} />
          </span>
        ))}
      </code>
    );
  return (
    <span className="hit-text hit-row">
      {snippet.cells.map(({ column, parts }, index) => (
        <span key={index}>
          {column && <span className="hit-column">{column}</span>}
          <span>
            <Marked parts={parts} />
          </span>
        </span>
      ))}
    </span>
  );
}

function Marked({ parts }: { parts: TextPart[] }) {
  return parts.map(({ text, isMatch }, index) => (isMatch ? <mark key={index}>{text}</mark> : text));
}
