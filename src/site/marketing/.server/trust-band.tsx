import { siteConfig } from "#config";
import { FundingBadge, SocBadge } from "../badges.tsx";
import { ChatLink } from "../chat-link.tsx";
import { home, trust } from "./content.ts";
import { Inline } from "./inline.tsx";
import { MoreLink } from "./links.tsx";
import { LogoMark } from "./marks.tsx";

export function Community() {
  const { title, text, withoutChat, questions, social } = home.community;
  return (
    <div className="t-chat">
      <h2>{title}</h2>
      <p>{text}</p>
      {siteConfig.community ? <ChatLink place="band" /> : <p>{withoutChat}</p>}
      <MoreLink {...questions} />
      {siteConfig.social.length === 0 && (
        <>
          <ul className="marks">
            {social.marks.map((mark) => (
              <li key={mark.name}>
                <LogoMark mark={mark} />
                <span className="vh">{mark.name}</span>
              </li>
            ))}
          </ul>
          <p className="fine">
            <Inline text={social.label} />
          </p>
        </>
      )}
    </div>
  );
}

/** The badges that `site.config.ts` has switched on; `more` leads to the page about trust. */
export function Trust({ more }: { more?: { label: string; to: string } }) {
  const { soc, funding } = trust.badges;
  return (
    <>
      {siteConfig.trust.soc && (
        <div className="t-badge">
          <SocBadge id="trust" />
          <div>
            <h3>{soc.title}</h3>
            <p>{soc.text}</p>
            <MoreLink {...soc.link} />
          </div>
        </div>
      )}
      {siteConfig.trust.funding && (
        <div className="t-badge">
          <FundingBadge />
          <div>
            <h3>{funding.title}</h3>
            <p>{funding.text}</p>
            {more && <MoreLink {...more} />}
          </div>
        </div>
      )}
    </>
  );
}
