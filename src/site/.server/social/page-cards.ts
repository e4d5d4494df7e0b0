import { sectionOf, type Navigation } from "#docs/content/navigation/navigation.ts";
import { fillPlaceholders } from "#docs/content/page/placeholders.ts";
import type { Page } from "#docs/content/types.ts";
import type { Marketing } from "../../marketing/.server/read-marketing.ts";
import type { Card } from "./draw-card.ts";

export interface PageCard extends Card {
  /** The page's path. */
  path: string;
}

/** Images are drawn before the site's own address is known. */
const EXAMPLE_ORIGIN = "https://millrace.example.com";

/** One card for each page of the documentation. */
export function docsCards(pages: Page[], navigation: Navigation): PageCard[] {
  return pages.map(({ path, title }) => {
    const section = navigation.sections.length > 0 ? sectionOf(navigation, path) : "";
    const isTop = section === "" || section === "Documentation";
    return {
      path,
      trail: isTop ? ["Docs"] : ["Docs", section],
      title: fillPlaceholders(title, EXAMPLE_ORIGIN),
    };
  });
}

/** One card for each marketing page. */
export function marketingCards({ home, trust, products }: Marketing): PageCard[] {
  const promise = home.title.charAt(0).toUpperCase() + home.title.slice(1);
  return [
    { path: "/", trail: [promise], title: home.hero.title.join(" ") },
    ...products.map(({ path, name, title }) => ({ path, trail: [name], title })),
    { path: "/trust", trail: ["Trust"], title: trust.title },
    { path: "/changelog", trail: ["Changelog"], title: "What changed, newest first" },
    { path: "/your-data", trail: ["Privacy"], title: "Your data" },
  ];
}
