import { siteConfig } from "#config";
import { trust } from "./content.ts";
import { ArtefactView } from "./artefacts/artefact-view.tsx";
import { FactTable } from "./artefacts/tables.tsx";
import { Inline } from "./inline.tsx";
import { MoreLink } from "./links.tsx";
import { Trust } from "./trust-band.tsx";

/** The page about trust; `content/marketing/trust.yaml` has its texts. */
export function TrustBody() {
  const { title, lead, sections, responsibilities } = trust;
  return (
    <>
      <section className="hero wrap">
        <div className="hero-text">
          <h1 className="h1-product">{title}</h1>
          <div className="hero-side">
            <p>{lead}</p>
          </div>
        </div>
      </section>
      <section className="trust" aria-label="Badges">
        <h2 className="vh">Badges</h2>
        <div className="wrap trust-in">
          <Trust />
        </div>
      </section>
      {sections.map((section) => (
        <section
          key={section.id}
          id={section.id}
          className="demo wrap"
          aria-labelledby={`${section.id}-heading`}
        >
          <div className="walls-head">
            <h2 id={`${section.id}-heading`} className="sec-h">
              {section.title}
            </h2>
            <p>
              <Inline text={section.text} />
            </p>
          </div>
          {section.id === "contact" && <Contact />}
          {section.artefact && (
            <div className="demo-body">
              <ArtefactView artefact={section.artefact} />
            </div>
          )}
          {section.more && <MoreLink {...section.more} />}
        </section>
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
    </>
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
