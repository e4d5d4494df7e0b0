import { Brand } from "./brand.tsx";
import type { NavLinkItem } from "./header-links.ts";
import { Icon } from "./icon.tsx";
import { PrivacyLink } from "./privacy-link.tsx";
import { SiteLink } from "./site-link.tsx";

export interface SocialLink extends NavLinkItem {
  /** A brand mark of `sprite.ts`, without its prefix. */
  icon: string;
}

export interface FooterProps {
  name: string;
  /** Copyright holder. */
  owner: string;
  links: NavLinkItem[];
  social: SocialLink[];
}

const year = new Date().getFullYear();

/** The footer in docs mode: one row. */
export function DocsFooter({ name, owner, links, social }: FooterProps) {
  return (
    <footer className="doc-foot">
      <div className="doc-foot-in">
        <Brand name={name} isSmall />
        <nav aria-label="Footer">
          {links.map((link) => (
            <SiteLink key={link.to} to={link.to}>
              {link.label}
            </SiteLink>
          ))}
          <PrivacyLink />
          <a href="/your-data#offline">Read offline</a>
        </nav>
        <button className="foot-switch js-only" type="button" data-late="shortcuts">
          Keyboard shortcuts
        </button>
        <SocialLinks links={social} />
        <Copyright owner={owner} />
      </div>
    </footer>
  );
}

export function SocialLinks({ links }: { links: SocialLink[] }) {
  if (links.length === 0) return null;
  return (
    <ul className="social">
      {links.map((link) => (
        <li key={link.to}>
          <a className="icon-btn" href={link.to} aria-label={link.label}>
            <Icon name={link.icon} brand />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A prerendered page has the year of its build, which may differ when it is hydrated in January. */
export function Copyright({ owner }: { owner: string }) {
  return (
    <p className="copyright" suppressHydrationWarning>
      {`© ${year} ${owner}`}
    </p>
  );
}
