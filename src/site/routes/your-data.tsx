import { siteConfig } from "#config";
import type { Route } from "./+types/your-data";
import { marketingMeta } from "../marketing/page-data.ts";
import { YourDataPage } from "../reader/your-data-page.tsx";
import { breadcrumbList } from "../structured-data.server.ts";
import { siteSourceContext } from "../site-source.ts";

const path = "/your-data";
const title = "Your data";
const description = "What this site keeps of its readers: see it, download it, erase it, change your choice.";

export function loader({ context }: Route.LoaderArgs) {
  const { origin, image } = context.get(siteSourceContext);
  const way = [
    { label: siteConfig.name, to: "/" },
    { label: title, to: path },
  ];
  const trail = { "@context": "https://schema.org", ...breadcrumbList(way, origin) };
  return { origin, image: image(path), trail };
}

export function meta({ loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  if (!loaderData) return [];
  const { origin, image, trail } = loaderData;
  const page = { path, title: `${title} – ${siteConfig.name}`, description, image };
  return [...marketingMeta(page, origin), { "script:ld+json": trail }];
}

export default YourDataPage;
