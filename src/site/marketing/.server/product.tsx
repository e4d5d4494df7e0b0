import { siteConfig } from "#config";
import { Icon } from "../../ui/icon.tsx";
import { ArtefactView } from "./artefacts/artefact-view.tsx";
import { home, isPreview, products } from "./content.ts";
import { Close } from "./home.tsx";
import { Inline } from "./inline.tsx";
import { ProductActions } from "./links.tsx";
import type { Product } from "./read-marketing.ts";

/** A product's page between header and footer; its file in `content/marketing/products/` has the texts. */
export function ProductBody({ product }: { product: Product }) {
  const { demonstration } = product;
  return (
    <>
      <section className="hero wrap">
        <p className="eyebrow">
          <Icon name={product.icon} />
          {product.name}
        </p>
        <div className="hero-text">
          <h1 className="h1-product">{product.title}</h1>
          <div className="hero-side">
            <p>
              <Inline text={product.lead} />
            </p>
            <ProductActions product={product} />
          </div>
        </div>
        {isPreview(product) && <p className="preview-note">{home.products.preview}</p>}
      </section>
      <div className="picture wrap">
        <ArtefactView artefact={product.picture} />
      </div>
      <section className="demo wrap" aria-labelledby="demo-heading">
        <div className="walls-head">
          <h2 id="demo-heading" className="sec-h">
            {demonstration.title}
          </h2>
          <p>{demonstration.text}</p>
        </div>
        <div className="demo-body">
          <ArtefactView artefact={demonstration.artefact} />
        </div>
      </section>
      <section className="wrap" aria-label="What to expect">
        <dl className="facts facts-grid">
          {product.facts.map((fact) => (
            <div key={fact.term}>
              <dt>{fact.term}</dt>
              <dd>
                <Inline text={fact.text} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <Further product={product} />
      <Close />
    </>
  );
}

/** Pages of the documentation, and the other products. */
function Further({ product }: { product: Product }) {
  return (
    <section className="wrap further" aria-labelledby="further-heading">
      <h2 id="further-heading" className="sec-h sec-small">
        In the documentation
      </h2>
      <div className="cards">
        {product.links.map((link) => (
          <a key={link.to} className="card" href={link.to}>
            <Icon name={link.icon} />
            <span className="card-title">{link.label}</span>
            <span className="card-text">{link.text}</span>
          </a>
        ))}
      </div>
      <nav className="others" aria-label="Products">
        {products.map((other) => (
          <a key={other.path} href={other.path} aria-current={other === product ? "page" : undefined}>
            {other.name}
          </a>
        ))}
      </nav>
    </section>
  );
}

export const productTitle = (product: Product) => `${product.name} – ${siteConfig.name}`;
