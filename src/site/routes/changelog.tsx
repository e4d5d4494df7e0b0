import type { Route } from "./+types/changelog";
import { loadMarketingPage } from "../marketing/load-marketing-page.ts";
import { MarketingPageView } from "../marketing/marketing-page.tsx";
import { marketingMeta } from "../marketing/page-data.ts";

export function loader({ request, context }: Route.LoaderArgs) {
  return loadMarketingPage(request, context);
}

export function meta({ loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  if (!loaderData) return [];
  const feed = { tagName: "link", rel: "alternate", type: "application/rss+xml", href: "/changelog.xml" };
  return [...marketingMeta(loaderData.page, loaderData.origin), feed];
}

export default function ChangelogRoute({ loaderData }: Route.ComponentProps) {
  return <MarketingPageView html={loaderData.html} />;
}
