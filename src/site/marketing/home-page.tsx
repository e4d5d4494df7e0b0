import "../styles/marketing.css";
import { BuildFaster, type Action } from "../ui/build-faster.tsx";
import { Icon } from "../ui/icon.tsx";
import { SiteLink } from "../ui/site-link.tsx";
import { convergePaths } from "./flow-field.ts";

export interface Product {
  label: string;
  to: string;
  /** Lucide's name. */
  icon: string;
  text: string;
}

interface HomePageProps {
  action: Action;
  /** The first six are the channels of the figure. */
  products: Product[];
}

const LANE = 68;
const LABEL = 30;

/** The content of the home page, between header and footer. */
export function HomePage({ action, products }: HomePageProps) {
  return (
    <main id="content">
      <section className="hero">
        <div className="wrap hero-text">
          <h1>
            Fast water
            <br />
            through your builds
          </h1>
          <div className="hero-side">
            <p>
              Image builds, registry, CI runners and remote cache in one channel. Layers that haven’t changed
              are already there, so only your change has to move.
            </p>
            <div className="hero-cta">
              <BuildFaster action={action} isLarge />
              <SiteLink className="btn btn-line btn-lg btn-plain" to="/docs">
                Read the docs
              </SiteLink>
            </div>
          </div>
        </div>
        <Channels products={products.slice(0, 6)} />
      </section>
      <section className="products wrap" id="products" aria-labelledby="products-heading">
        <h2 id="products-heading">One channel, from commit to running image</h2>
        <div className="cards">
          {products.map((product) => (
            <SiteLink key={product.to} className="card" to={product.to}>
              <Icon name={product.icon} />
              <span className="card-title">{product.label}</span>
              <span className="card-text">{product.text}</span>
            </SiteLink>
          ))}
        </div>
      </section>
    </main>
  );
}

/** Water that enters on the left and leaves in one channel for each product. A drawing: the cards below are the links. */
function Channels({ products }: { products: Product[] }) {
  const height = products.length * LANE;
  const lanes = products.map((_, i) => i * LANE + LABEL);
  return (
    <div className="channels" aria-hidden="true">
      <svg className="channels-in" viewBox={`0 0 440 ${height}`} preserveAspectRatio="none">
        <g className="streams">
          {convergePaths({ width: 440, height, lanes, linesPerLane: 6 }).map((d) => (
            <path key={d} d={d} vectorEffect="non-scaling-stroke" />
          ))}
        </g>
      </svg>
      <ul>
        {products.map((product) => (
          <li key={product.to} className="channel">
            <span>
              <Icon name={product.icon} />
              {product.label}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
