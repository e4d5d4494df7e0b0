import { type ReactNode, useContext } from "react";
import { treeScript } from "virtual:boot-scripts";
import { siteConfig } from "#config";
import { DocsFooter } from "../ui/docs-footer.tsx";
import { Notices } from "../ui/notices.tsx";
import { SiteHeader } from "../ui/site-header.tsx";
import { AuthorPanel } from "./author/author-panel.tsx";
import { DocBar } from "./doc-bar.tsx";
import { createAlgoliaProvider } from "./search/algolia-provider.ts";
import type { InitialResults } from "./search/protocol.ts";
import type { Refinement } from "./search/refinement.ts";
import { SearchBox } from "./search/search-box.tsx";
import { SearchResults } from "./search/search-results.tsx";
import { useDocsSearch } from "./search/use-docs-search.ts";
import { useHitSelection } from "./search/use-hit-selection.ts";
import { StaticHtml } from "./static-html.tsx";
import { DocsToggle } from "./tree/docs-toggle.tsx";
import { useSidebar } from "./tree/use-sidebar.ts";
import { PrefetchedPage, useStaticHtml } from "./use-static-html.tsx";
import { EditionContext } from "./use-words.ts";

const { algolia } = siteConfig.search;
// The build sets the constant: a site that does not use Algolia does not ship its provider.
const createProvider =
  __SEARCH_PROVIDER__ === "algolia" && algolia ? () => createAlgoliaProvider(algolia) : undefined;

interface DocsLayoutProps {
  /** `?q=` from the address. */
  query: string;
  /** `&section=` and `&kind=`. */
  refinement: Refinement;
  initialResults: InitialResults | null;
  /** The page. */
  children: ReactNode;
}

/** Header, bar, tree, page or results, footer, notices: the frame of every documentation page. */
export function DocsLayout({ query, refinement, initialResults, children }: DocsLayoutProps) {
  const { name, owner, header, docsBar, footer, social, search: options } = siteConfig;
  const edition = useContext(EditionContext);
  const search = useDocsSearch({
    indexUid: edition?.index ?? options.indexName,
    initialQuery: query,
    initialRefinement: refinement,
    initialResults,
    ...(createProvider && { createProvider }),
  });
  const selection = useHitSelection(search);
  const sidebar = useSidebar();
  const prefetched = useStaticHtml();
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <SiteHeader name={name} action={header.action} />
      <DocBar
        toggle={<DocsToggle sidebar={sidebar} />}
        search={<SearchBox search={search} selection={selection} />}
        links={docsBar}
      />
      <div className="doc-grid">
        <aside className="sidebar" id="sidebar">
          <nav className="tree" aria-label="Documentation">
            <StaticHtml part="tree" />
          </nav>
          <script
            suppressHydrationWarning
            dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? treeScript : "" }}
          />
        </aside>
        <main className="doc-main" id="content" tabIndex={-1}>
          {search.isPanelOpen && <SearchResults search={search} selection={selection} />}
          {/* Hidden, not removed: the page reappears unchanged, at the same scroll position. */}
          <div className="doc-page" hidden={search.isPanelOpen}>
            {children}
          </div>
        </main>
      </div>
      <DocsFooter name={name} owner={owner} links={footer} social={social} />
      <Notices />
      <PrefetchedPage path={prefetched} />
      {import.meta.env.DEV && <AuthorPanel />}
    </>
  );
}
