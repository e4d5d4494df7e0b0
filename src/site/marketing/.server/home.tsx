import { siteConfig } from "#config";
import { Icon } from "../../ui/icon.tsx";
import { ArtefactView } from "./artefacts/artefact-view.tsx";
import { home, isPreview, parts, products, trust } from "./content.ts";
import { Inline } from "./inline.tsx";
import { actionKey, Actions, MoreLink } from "./links.tsx";
import { LogoMark, Wordmarks } from "./marks.tsx";
import { BuildRace } from "./race.tsx";
import { recordedBuilds } from "./recorded-builds.ts";
import type { Home } from "./schema.ts";
import { Community, Trust } from "./trust-band.tsx";

/** Whether any part of the service does not run yet. */
const isWaiting = parts.some(({ state }) => state === "preview");

/** The home page between header and footer; `content/marketing/home.yaml` has its texts. */
export function HomeBody() {
  return (
    <>
      <section className="hero">
        <div className="wrap hero-text">
          <h1>
            {home.hero.title[0]}
            <br />
            {home.hero.title[1]}
          </h1>
          <div className="hero-side">
            <p>{home.hero.lead}</p>
            <Actions docs={home.hero.docs} />
            {isWaiting && <p className="fine">{home.hero.note}</p>}
          </div>
        </div>
        <BuildRace words={home.race} builds={recordedBuilds} />
      </section>
      {home.customers.names.length > 0 && (
        <section className="logos wrap" aria-label="Customers">
          <p className="logos-label">{home.customers.label}</p>
          <Wordmarks names={home.customers.names} />
        </section>
      )}
      <Products />
      <Technologies />
      <section className="trust" aria-label="Community and trust">
        <div className="wrap trust-in">
          <Community />
          <Trust more={{ label: trust.title, to: "/trust" }} />
        </div>
      </section>
      <Close />
    </>
  );
}

function Products() {
  const { title, preview, lead, cells } = home.products;
  return (
    <section className="products wrap" id="products" aria-labelledby="products-heading">
      <h2 id="products-heading" className="sec-h">
        {title}
      </h2>
      {isWaiting && <p className="preview-note">{preview}</p>}
      <article className="p-builds" id={lead.id}>
        <div>
          <ProductHeading {...lead} />
          <p>
            <Inline text={lead.text} />
          </p>
          <dl className="facts">
            {lead.facts.map((fact) => (
              <div key={fact.term}>
                <dt>{fact.term}</dt>
                <dd>
                  <Inline text={fact.text} />
                </dd>
              </div>
            ))}
          </dl>
          <MoreLink {...lead.more} />
        </div>
        <ArtefactView artefact={lead.artefact} />
        <ArtefactView artefact={lead.app} />
      </article>
      <div className="cells">
        {cells.map((cell) => (
          <article key={cell.id} id={cell.id} className="cell">
            <ProductHeading {...cell} />
            <p>
              <Inline text={cell.text} />
            </p>
            <ArtefactView artefact={cell.artefact} />
            <MoreLink {...cell.more} />
          </article>
        ))}
      </div>
    </section>
  );
}

function ProductHeading({ icon, title, more }: Home["products"]["cells"][number]) {
  const product = products.find(({ path }) => path === more.to);
  return (
    <h3>
      <Icon name={icon} />
      {title}
      {product && isPreview(product) && <small className="fine">Preview</small>}
    </h3>
  );
}

function Technologies() {
  const { title, text, marks } = home.technologies;
  return (
    <section className="walls wrap" aria-labelledby="technologies-heading">
      <div className="walls-head">
        <h2 id="technologies-heading" className="sec-h">
          {title}
        </h2>
        <p>{text}</p>
      </div>
      <ul className="tech-grid">
        {marks.map((mark) => (
          <li key={mark.name}>
            <LogoMark mark={mark} />
            <span>{mark.name}</span>
          </li>
        ))}
      </ul>
      {home.partners.names.length > 0 && (
        <div className="partners">
          <p className="logos-label">{home.partners.label}</p>
          <Wordmarks names={home.partners.names} isSmall />
        </div>
      )}
    </section>
  );
}

/** Lines that turn with concentric quarter-circles: the logo's geometry. */
function elbowPaths(): string[] {
  return Array.from({ length: 16 }, (_, line) => {
    const radius = 36 + 13 * line;
    return `M${470 + radius} 0V262A${radius} ${radius} 0 0 1 470 ${262 + radius}H0`;
  });
}

export function Close() {
  const { title, text } = home.close;
  const paths = elbowPaths();
  return (
    <section className="close flowing">
      <svg className="close-flow" viewBox="0 0 760 520" aria-hidden="true">
        <g className="streams">
          {paths.map((d) => (
            <path key={d} d={d} />
          ))}
        </g>
        <g className="foam">
          {paths.map((d, line) =>
            line % 3 === 1 ? (
              <path
                key={d}
                d={d}
                pathLength={1000}
                style={{ "--d": ((line * 0.83) % 4).toFixed(2), "--t": "5s" } as React.CSSProperties}
              />
            ) : null,
          )}
        </g>
      </svg>
      <div className="wrap">
        <h2>
          {title[0]} <kbd className="keycap">{actionKey}</kbd> {title[1]}
        </h2>
        <p>{text}</p>
        <Actions docs={home.today} />
      </div>
    </section>
  );
}

export const homeTitle = `${siteConfig.name}: ${home.title}`;
