/**
 * Inlined right behind the navigation tree, before it is painted: closes the sections that the reader has closed and
 * scrolls the current link to the middle of the sidebar. Nothing of the tree moves afterwards. Keep it tiny: it is in every
 * page of the documentation.
 */
import { applyClosedSections } from "../docs/tree/closed-sections.ts";
import { centreCurrentLink } from "../docs/tree/sidebar-scroll.ts";

applyClosedSections();
const sidebar = document.querySelector<HTMLElement>("#sidebar");
if (sidebar) centreCurrentLink(sidebar);
