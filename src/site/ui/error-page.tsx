import { siteConfig } from "#config";
import { Brand } from "./brand.tsx";
import { Icon } from "./icon.tsx";

interface ErrorPageProps {
  status: number;
}

/**
 * The whole page after a route has failed; missing pages have their own route. Needs no data that could fail
 * too.
 */
export function ErrorPage({ status }: ErrorPageProps) {
  return (
    <>
      <header className="site-head">
        <Brand name={siteConfig.name} />
      </header>
      <main className="error-page" id="content">
        <div className="blank">
          <Icon name="cloud-alert" className="blank-icon" />
          <h1>This page could not be shown</h1>
          <p>{`The server answered with an error (${status}). The rest of the site may work.`}</p>
          <div className="blank-actions">
            <button className="btn btn-line js-only" type="button" onClick={() => location.reload()}>
              <Icon name="rotate-cw" />
              <span>Try again</span>
            </button>
            <a className="text-link" href="/docs">
              Go to the documentation
            </a>
          </div>
        </div>
      </main>
    </>
  );
}
