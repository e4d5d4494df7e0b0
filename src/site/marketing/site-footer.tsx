import { FundingBadge, SocBadge } from "./badges.tsx";
import { Brand } from "../ui/brand.tsx";
import { ShortcutSwitch } from "../ui/build-faster.tsx";
import { Copyright, SocialLinks, type FooterProps } from "../ui/docs-footer.tsx";
import type { NavLinkItem } from "../ui/header-links.ts";
import { PrivacyLink } from "../ui/privacy-link.tsx";
import { SiteLink } from "../ui/site-link.tsx";

interface SiteFooterProps extends Omit<FooterProps, "links"> {
  tagline: string;
  columns: { heading: string; links: readonly NavLinkItem[] }[];
  /** The badges to show. */
  badges: { soc: boolean; funding: boolean };
}

/** The footer of the marketing pages. */
export function SiteFooter({ name, owner, tagline, columns, social, badges }: SiteFooterProps) {
  return (
    <footer className="site-foot">
      <div className="wrap">
        <div className="foot-top">
          <div className="foot-brand">
            <Brand name={name} />
            <p>{tagline}</p>
            <SocialLinks links={social} />
            {(badges.soc || badges.funding) && (
              <>
                <div className="foot-badges">
                  {badges.soc && <SocBadge id="foot" />}
                  {badges.funding && <FundingBadge />}
                </div>
                <p className="fine">
                  {sampleWords(badges)}
                  <br />
                  <SiteLink className="text-link" to="/trust#badges">
                    About the badges
                  </SiteLink>
                </p>
              </>
            )}
          </div>
          <nav className="foot-cols" aria-label="Footer">
            {columns.map((column) => (
              <div key={column.heading}>
                <h2>{column.heading}</h2>
                <ul>
                  {column.links.map((link) => (
                    <li key={link.to}>
                      <SiteLink to={link.to}>{link.label}</SiteLink>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </div>
        <div className="foot-end">
          <Copyright owner={owner} />
          <PrivacyLink />
          <ShortcutSwitch />
        </div>
      </div>
    </footer>
  );
}

/** A stranger reads these below the badges: an operator who has earned a badge draws it in `badges.tsx`, and changes them here. */
function sampleWords({ soc, funding }: SiteFooterProps["badges"]) {
  const deed = soc && funding ? "audited or funded" : soc ? "audited" : "funded";
  return (
    <>
      {soc && funding ? "Both badges are samples:" : "This badge is a sample:"} <br />
      no one has {deed} this service.
    </>
  );
}
