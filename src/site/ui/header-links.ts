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

/** The header's links as `site.config.ts` orders them, with the products where it names them. */
export const headerLinks: (NavLinkItem | NavMenuItem)[] = siteConfig.header.links.map((item) =>
  "links" in item ? { ...item, links: item.links === "products" ? PRODUCTS : item.links } : item,
);
