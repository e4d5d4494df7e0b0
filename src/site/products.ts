/**
 * The products, in the order in which the site lists them. Routes, menus, the sitemap and preview images
 * follow this list; `content/marketing/products/` has a file with the text of each.
 */
export const PRODUCTS = [
  { label: "Container builds", to: "/container-builds", icon: "container" },
  { label: "Registry", to: "/registry", icon: "archive" },
  { label: "CI runners", to: "/runners", icon: "workflow" },
  { label: "Cache", to: "/cache", icon: "database-zap" },
  { label: "Agents", to: "/agents", icon: "bot" },
  { label: "Managed on AWS", to: "/managed", icon: "cloud-cog" },
] as const;

export type ProductPath = (typeof PRODUCTS)[number]["to"];
