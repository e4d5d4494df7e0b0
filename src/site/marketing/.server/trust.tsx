import { siteConfig } from "#config";
import { Icon } from "../../ui/icon.tsx";
import { trust } from "./content.ts";
import { ArtefactView } from "./artefacts/artefact-view.tsx";
import { FactTable } from "./artefacts/tables.tsx";
import { Inline } from "./inline.tsx";
import { MoreLink } from "./links.tsx";
import { Trust } from "./trust-band.tsx";

/** The page about trust; `content/marketing/trust.yaml` has its texts. What visitors come for is on its first screen. */
export function TrustBody() {
  const { title, lead, answers, sections, badges, responsibilities } = trust;
  const hasBadges = siteConfig.trust.soc || siteConfig.trust.funding;
  return (
    <>
      <section className="hero wrap">
        <div className="hero-text">
          <h1 className="h1-product">{title}</h1>
          <div className="hero-side">
            <p>{lead}</p>
          </div>
        </div>
        <nav className="demo-body" aria-label="On this page">
          <div className="cards">
            {answers
              .filter(({ to }) => to !== "#badges" || hasBadges)
              .map((answer) => (
                <a key={answer.to} className="card" href={answer.to}>
                  <Icon name={answer.icon} />
                  <span className="card-title">{answer.title}</span>
                  <span className="card-text">{answer.text}</span>
                </a>
              ))}
          </div>
        </nav>
      </section>
      {sections.map((section) => (
        <TrustSection key={section.id} section={section} />
      ))}
      <section className="demo wrap" id="responsibilities" aria-labelledby="responsibilities-heading">
        <h2 id="responsibilities-heading" className="sec-h">
          {responsibilities.title}
        </h2>
        <div className="demo-body">
          <FactTable
            label={`${responsibilities.title}, a table`}
            head={responsibilities.head}
            rows={responsibilities.rows}
            isProse
          />
        </div>
      </section>
      {hasBadges && (
        <section className="demo wrap" id="badges" aria-labelledby="badges-heading">
          <div className="walls-head">
            <h2 id="badges-heading" className="sec-h">
              {badges.title}
            </h2>
            <p>{badges.text}</p>
          </div>
          <div className="trust-in">
            <Trust />
          </div>
        </section>
      )}
    </>
  );
}

function TrustSection({ section }: { section: (typeof trust.sections)[number] }) {
  const { id, title, text, artefact, more } = section;
  return (
    <section id={id} className="demo wrap" aria-labelledby={`${id}-heading`}>
      <div className="walls-head">
        <h2 id={`${id}-heading`} className="sec-h">
          {title}
        </h2>
        <p>
          <Inline text={text} />
        </p>
      </div>
      {id === "contact" && <Contact />}
      {artefact && (
        <div className="demo-body">
          <ArtefactView artefact={artefact} />
        </div>
      )}
      {more && <MoreLink {...more} />}
    </section>
  );
}

function Contact() {
  const { securityContact } = siteConfig.trust;
  return (
    <p className="contact">
      {securityContact ? (
        <a className="text-link" href={securityContact}>
          {securityContact.replace("mailto:", "")}
        </a>
      ) : (
        "Write to the people who run this site, or use the private report form of the repository that you got Millrace from."
      )}{" "}
      <a className="text-link" href="/.well-known/security.txt">
        security.txt
      </a>
    </p>
  );
}
