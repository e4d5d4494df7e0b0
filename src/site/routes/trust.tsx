import type { Route } from "./+types/trust";
import { loadMarketingPage } from "../marketing/load-marketing-page.ts";
import { MarketingPageView } from "../marketing/marketing-page.tsx";
import { marketingMeta } from "../marketing/page-data.ts";

export function loader({ request, context }: Route.LoaderArgs) {
  return loadMarketingPage(request, context);
}

export function meta({ loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  return loaderData ? marketingMeta(loaderData.page, loaderData.origin) : [];
}

export default function TrustRoute({ loaderData }: Route.ComponentProps) {
  return <MarketingPageView html={loaderData.html} />;
}
