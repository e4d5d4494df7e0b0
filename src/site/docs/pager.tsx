import { Icon } from "../ui/icon.tsx";

interface PagerProps {
  previous: { label: string; to: string } | null;
  next: { label: string; to: string } | null;
}

export function Pager({ previous, next }: PagerProps) {
  if (!previous && !next) return null;
  return (
    <nav className="pager" aria-label="Pagination">
      {previous && (
        <a className="pager-prev" href={previous.to} rel="prev">
          <span className="pager-dir">
            <Icon name="arrow-left" />
            Previous
          </span>
          <span className="pager-title">{previous.label}</span>
        </a>
      )}
      {next && (
        <a className="pager-next" href={next.to} rel="next">
          <span className="pager-dir">
            Next
            <Icon name="arrow-right" />
          </span>
          <span className="pager-title">{next.label}</span>
        </a>
      )}
    </nav>
  );
}
