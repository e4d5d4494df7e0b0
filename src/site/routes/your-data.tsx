import { siteConfig } from "#config";
import type { Route } from "./+types/your-data";
import { pageAddresses } from "../editions.ts";
import { marketingMeta } from "../marketing/page-data.ts";
import { YourDataPage } from "../reader/your-data-page.tsx";
import { breadcrumbList } from "../structured-data.server.ts";
import { siteSourceContext } from "../site-source.ts";

const PATH = "/your-data";
const TITLE = "Your data";
const DESCRIPTION =
  "What this site stores about its readers: see it, download it, erase it, change your choice.";

export function loader({ context }: Route.LoaderArgs) {
  const { origin, image } = context.get(siteSourceContext);
  const way = [
    { label: siteConfig.name, to: "/" },
    { label: TITLE, to: PATH },
  ];
  const trail = { "@context": "https://schema.org", ...breadcrumbList(way, origin) };
  const page = { path: PATH, image: image(PATH), ...pageAddresses(origin, PATH) };
  return { origin, page, trail };
}

export function meta({ loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  if (!loaderData) return [];
  const { origin, trail } = loaderData;
  const page = { ...loaderData.page, title: `${TITLE} – ${siteConfig.name}`, description: DESCRIPTION };
  return [...marketingMeta(page, origin), { "script:ld+json": trail }];
}

export default YourDataPage;
