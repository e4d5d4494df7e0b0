import type { ReactNode } from "react";
import { SiteLink } from "../ui/site-link.tsx";

interface DocBarProps {
  /** The button for phones that opens the tree; shown below 1024 px. */
  toggle: ReactNode;
  search: ReactNode;
  links: { label: string; to: string }[];
}

/** The bar labelled "Documentation". Without a script the button is a link to the tree below the page. */
export function DocBar({ toggle, search, links }: DocBarProps) {
  return (
    <section className="doc-bar" aria-labelledby="doc-bar-label">
      <div className="doc-bar-title">
        <span className="doc-bar-label" id="doc-bar-label">
          Documentation
        </span>
        {toggle}
        <a className="doc-jump no-js-only" href="#sidebar">
          Documentation
        </a>
      </div>
      <div className="doc-bar-search">{search}</div>
      <div className="doc-bar-links">
        {links.map((link) => (
          <SiteLink key={link.to} className="quiet" to={link.to}>
            {link.label}
          </SiteLink>
        ))}
      </div>
    </section>
  );
}
