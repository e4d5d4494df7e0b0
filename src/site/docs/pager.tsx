import type { PageLink } from "../site-source.ts";
import { Icon } from "../ui/icon.tsx";

interface PagerProps {
  previous: PageLink | null;
  next: PageLink | null;
  t: (english: string) => string;
}

export function Pager({ previous, next, t }: PagerProps) {
  if (!previous && !next) return null;
  return (
    <nav className="pager" aria-label={t("Pagination")}>
      {previous && (
        <a className="pager-prev" href={previous.to} rel="prev">
          <span className="pager-dir">
            <Icon name="arrow-left" />
            {t("Previous")}
          </span>
          <span className="pager-title" lang={previous.lang}>
            {previous.label}
          </span>
        </a>
      )}
      {next && (
        <a className="pager-next" href={next.to} rel="next">
          <span className="pager-dir">
            {t("Next")}
            <Icon name="arrow-right" />
          </span>
          <span className="pager-title" lang={next.lang}>
            {next.label}
          </span>
        </a>
      )}
    </nav>
  );
}
