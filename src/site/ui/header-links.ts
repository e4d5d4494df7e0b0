import { siteConfig } from "#config";
import { PRODUCTS } from "../products.ts";

export interface NavLinkItem {
  label: string;
  to: string;
}

export interface NavMenuItem {
  label: string;
  links: readonly (NavLinkItem & { icon: string })[];
}

/** The header's links in the order of `site.config.ts`, with the products in their place. */
export const headerLinks: (NavLinkItem | NavMenuItem)[] = siteConfig.header.links.map((item) =>
  "links" in item ? { ...item, links: item.links === "products" ? PRODUCTS : item.links } : item,
);
