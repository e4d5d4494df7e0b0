import { Icon } from "../ui/icon.tsx";
import { SiteLink } from "../ui/site-link.tsx";

/** An address below /docs that has no page: the tree and the search box stay. */
export function MissingPage() {
  return (
    <article className="doc-col">
      <div className="blank">
        <Icon name="circle-help" className="blank-icon" />
        <h1>Page not found</h1>
        <p>The address may have moved, or it was never here. The search box above knows every page.</p>
        <div className="blank-actions">
          <SiteLink className="text-link" to="/docs">
            Start with the documentation
          </SiteLink>
        </div>
      </div>
    </article>
  );
}
