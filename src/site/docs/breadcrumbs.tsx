import type { Crumb } from "../site-source.ts";

interface BreadcrumbsProps {
  /** From the section down to the page itself. */
  crumbs: Crumb[];
  t: (english: string) => string;
}

export function Breadcrumbs({ crumbs, t }: BreadcrumbsProps) {
  return (
    <nav className="crumbs" aria-label={t("Breadcrumb")}>
      <ol>
        {crumbs.map(({ label, to, lang }, i) => {
          const isLast = i === crumbs.length - 1;
          return (
            <li key={`${label} ${to ?? ""}`} lang={lang} aria-current={isLast ? "page" : undefined}>
              {to && !isLast ? <a href={to}>{label}</a> : label}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
