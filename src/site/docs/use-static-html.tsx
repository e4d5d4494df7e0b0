import { useEffect, useRef, useState } from "react";
import { PrefetchPageLinks, useLocation, useNavigate, useRouteLoaderData } from "react-router";
import { startLinkDelegation } from "./behaviors/link-delegation.ts";
import { startLate } from "./late/start-late.ts";
import { isDocs } from "../ui/site-link.tsx";
import { track } from "../tracked-events.ts";
import { startTree } from "./tree/start-tree.ts";
import { revealCurrentLink } from "./tree/sidebar-scroll.ts";
import type { Branches } from "./tree/types.ts";
import { updateTree } from "./tree/update-tree.ts";

/**
 * Makes the static HTML of tree and article interactive: links navigate on the client and are prefetched on
 * intent, the tree folds and follows the location, and clicks made before hydration are replayed.
 * @returns the page to prefetch.
 */
export function useStaticHtml(): string | null {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  // Absent if the page does not exist.
  const page = useRouteLoaderData<{ branches?: Branches }>("routes/docs-page");
  const [prefetched, setPrefetched] = useState<string | null>(null);

  useEffect(() => {
    const grid = document.querySelector<HTMLElement>(".doc-grid");
    const tree = document.querySelector<HTMLElement>(".tree");
    if (!grid || !tree) return;
    const stopLinks = startLinkDelegation(grid, {
      navigate: (to) => (staysInDocs(to) ? void navigate(to) : location.assign(to)),
      prefetch: (to) => staysInDocs(to) && setPrefetched(to.replace(/#.*/, "")),
    });
    const stopTree = startTree(tree);
    return () => {
      stopLinks();
      stopTree();
    };
  }, [navigate]);

  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    track("page", undefined);
    const sidebar = document.querySelector<HTMLElement>("#sidebar");
    if (!sidebar) return;
    updateTree(sidebar, pathname, page?.branches ?? {});
    revealCurrentLink(sidebar);
  }, [pathname, page]);

  useEffect(() => startLate(), []);

  useEffect(() => {
    for (const replay of window.takeKept?.() ?? []) replay();
    document.documentElement.dataset["hydrated"] = "true";
  }, []);

  return prefetched;
}

/** Other areas of the site are separate documents, and so are editions: they have a language of their own. */
const staysInDocs = (to: string) => isDocs(to) && isDocs(location.pathname);

export function PrefetchedPage({ path }: { path: string | null }) {
  return path && <PrefetchPageLinks page={path} />;
}
