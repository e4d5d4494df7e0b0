import { useEffect, useRef } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { SiteLink } from "../../../ui/site-link.tsx";
import { hitPath, hitText } from "../../search/hit-text.ts";
import type { DocsHit } from "../../search/protocol.ts";
import type { DocsSearch } from "../../search/use-docs-search.ts";
import type { HitSelection } from "../../search/use-hit-selection.ts";
import { adoptStyles } from "../adopt-styles.ts";
import { copyButtonOf, useSection } from "./use-section.ts";
import { usePreviewKeys } from "./use-preview-keys.ts";
import styles from "./search-preview.css?inline";

adoptStyles(styles);

interface SearchPreviewProps {
  search: DocsSearch;
  selection: HitSelection;
}

/** The section that the selected hit leads to, next to the results or, on a narrow screen, below them. */
export function SearchPreview({ search, selection }: SearchPreviewProps) {
  const { hits } = search.snapshot;
  const { activeIndex, select, setPreviewing, onOpen } = selection;
  const index = Math.max(activeIndex, 0);
  const hit = hits[index];
  const panelRef = useRef<HTMLElement>(null);
  const { bodyRef, status, codeCount, isBusy } = useSection(hit);
  const close = () => {
    setPreviewing(false);
    search.inputRef.current?.focus({ preventScroll: true });
  };
  const copy = () => {
    // While a hit's section is loading, the previous hit's section is still shown.
    if (bodyRef.current && hit && !isBusy) copyButtonOf(bodyRef.current, hit)?.click();
  };
  usePreviewKeys(search.inputRef, { close, copy, panelRef });
  useEffect(() => {
    if (activeIndex < 0 && hits.length > 0) select(0);
  }, [activeIndex, hits, select]);

  if (!hit) return null;
  const path = hitPath(hit.url);
  const step = (by: number) => select((index + by + hits.length) % hits.length);
  return (
    <section
      className="hit-preview"
      ref={panelRef}
      tabIndex={-1}
      aria-label={`Preview of ${nameOf(hit)}`}
      aria-busy={isBusy || undefined}
    >
      <div className="preview-bar">
        <IconButton icon="chevron-down" label="Previous result" onPress={() => step(-1)} />
        <IconButton icon="chevron-down" label="Next result" onPress={() => step(1)} />
        {codeCount > 0 && (
          <button
            className="btn btn-line btn-sm"
            type="button"
            aria-disabled={isBusy || undefined}
            onClick={copy}
          >
            <Icon name="copy" />
            <span>Copy code</span>
          </button>
        )}
        <SiteLink className="btn btn-line btn-sm" to={path} onClick={() => onOpen(hit, false)}>
          <span>Open</span>
        </SiteLink>
        <IconButton icon="x" label="Close preview" onPress={close} />
      </div>
      {status && <p className="preview-status">{status}</p>}
      <div className="preview-body prose" ref={bodyRef} data-private />
    </section>
  );
}

function IconButton({ icon, label, onPress }: { icon: string; label: string; onPress: () => void }) {
  return (
    <button className="btn btn-line btn-sm" type="button" aria-label={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}

function nameOf(hit: DocsHit): string {
  const names = (["hierarchy_lvl1", "hierarchy_lvl2", "hierarchy_lvl3"] as const).flatMap(
    (level) =>
      hitText(hit, level)
        ?.map(({ text }) => text)
        .join("") ?? [],
  );
  return names.join(", ");
}
