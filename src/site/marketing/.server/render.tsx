/**
 * The marketing pages as HTML strings. They are static: none of these components is sent to the browser (decisions/001),
 * and the few animations are in `start-marketing.ts`.
 */
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { fillPlaceholders } from "#docs/content/page/placeholders.ts";
import { siteConfig } from "#config";
import type { MarketingPage } from "../page-data.ts";
import { ChangelogBody, renderEntries } from "./changelog.tsx";
import { home, products, trust } from "./content.ts";
import { drawAll, DrawingsProvider } from "./drawn.tsx";
import { changelogData, homeData, productData, trustData } from "./marketing-data.ts";
import { HomeBody, homeTitle } from "./home.tsx";
import { ProductBody, productTitle } from "./product.tsx";
import { TrustBody } from "./trust.tsx";

interface Rendered {
  page: Omit<MarketingPage, "image">;
  html: string;
}

/** @returns undefined for a path that is not a marketing page. */
export async function renderMarketingPage(path: string, origin: string): Promise<Rendered | undefined> {
  if (path === "/") {
    const page = { path, title: homeTitle, description: siteConfig.description };
    return { page, html: (await render(<HomeBody />, home, origin)) + homeData(origin) };
  }
  if (path === "/trust") {
    const page = { path, title: `${trust.title} – ${siteConfig.name}`, description: trust.description };
    return { page, html: (await render(<TrustBody />, trust, origin)) + trustData(trust.title, origin) };
  }
  if (path === "/changelog") {
    const page = {
      path,
      title: `Changelog – ${siteConfig.name}`,
      description: `What changed in ${siteConfig.name}.`,
    };
    const entries = await renderEntries();
    const html = await render(<ChangelogBody entries={entries} />, {}, origin);
    return { page, html: html + changelogData(entries, origin) };
  }
  const product = products.find((each) => each.path === path);
  if (!product) return undefined;
  const page = { path, title: productTitle(product), description: product.description };
  const html = await render(<ProductBody product={product} />, [product, home], origin);
  return { page, html: html + productData(product, origin) };
}

async function render(body: ReactNode, content: unknown, origin: string): Promise<string> {
  const drawings = await drawAll(content);
  const html = renderToStaticMarkup(<DrawingsProvider value={drawings}>{body}</DrawingsProvider>);
  return fillPlaceholders(html, origin);
}
