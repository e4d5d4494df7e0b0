import { Icon } from "../ui/icon.tsx";
import { SiteLink } from "../ui/site-link.tsx";
import { cylinderPaths } from "./flow-field.ts";

const STARTS = [
  { label: "Get Started", to: "/docs", icon: "rocket" },
  { label: "Container Builds", to: "/docs/container-builds/overview", icon: "container" },
  { label: "CI runners", to: "/docs/github-actions/overview", icon: "workflow" },
  { label: "CLI reference", to: "/docs/cli/reference", icon: "square-terminal" },
];

/** The content of the 404 page, between header and footer. The search is a plain form: it works without a script. */
export function NotFound() {
  return (
    <main className="nf" id="content">
      <FlowField />
      <div className="nf-in">
        <h1>Page not found</h1>
        <p className="lead">
          The address may have moved, or it was never here. Search the docs or start from one of these pages.
        </p>
        <search>
          <form className="search search-lg" action="/docs" method="get">
            <label className="vh" htmlFor="q">
              Search docs
            </label>
            <Icon name="search" />
            <input
              id="q"
              name="q"
              type="text"
              placeholder="Search docs..."
              autoComplete="off"
              spellCheck={false}
            />
          </form>
        </search>
        <ul className="nf-links">
          {STARTS.map((link) => (
            <li key={link.to}>
              <SiteLink to={link.to}>
                <Icon name={link.icon} />
                <span>{link.label}</span>
              </SiteLink>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Water around the number. Foam runs once, on one line in three. */
function FlowField() {
  return (
    <svg
      className="nf-flow"
      viewBox="0 0 1440 840"
      preserveAspectRatio="xMaxYMid slice"
      aria-hidden="true"
      // Browsers may round a coordinate differently from the server; the server's drawing stays.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: flowFieldShapes() }}
    />
  );
}

function flowFieldShapes(): string {
  const paths = cylinderPaths({
    cx: 1030,
    cy: 420,
    radius: 150,
    fromX: 400,
    toX: 1440,
    reach: 420,
    spacing: 17,
  });
  const lines = paths.map((d, i) =>
    i % 3 === 1 ? `<path id="f${i}" pathLength="1000" d="${d}"/>` : `<path d="${d}"/>`,
  );
  const foam = paths.map((_, i) =>
    i % 3 === 1 ? `<use href="#f${i}" style="--d:${round((i * 0.37) % 2.4)}"/>` : "",
  );
  return (
    `<g class="streams">${lines.join("")}</g><g class="foam">${foam.join("")}</g>` +
    '<text class="nf-num" x="1030" y="462" text-anchor="middle">404</text>'
  );
}
