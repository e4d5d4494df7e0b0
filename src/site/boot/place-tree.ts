/**
 * Inlined right after the navigation tree, before it is painted: closes the sections that the reader has
 * closed and scrolls the current link to the middle of the sidebar, so that the tree does not move
 * afterwards. Keep it tiny: it is in every documentation page.
 */
import { applyClosedSections } from "../docs/tree/closed-sections.ts";
import { centreCurrentLink } from "../docs/tree/sidebar-scroll.ts";

applyClosedSections();
const sidebar = document.querySelector<HTMLElement>("#sidebar");
if (sidebar) centreCurrentLink(sidebar);
