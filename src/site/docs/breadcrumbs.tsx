interface BreadcrumbsProps {
  /** From the section down to the page itself. */
  crumbs: { label: string; to?: string | undefined }[];
}

export function Breadcrumbs({ crumbs }: BreadcrumbsProps) {
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ label, to }, i) => {
          const isLast = i === crumbs.length - 1;
          return (
            <li key={`${label} ${to ?? ""}`} aria-current={isLast ? "page" : undefined}>
              {to && !isLast ? <a href={to}>{label}</a> : label}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
