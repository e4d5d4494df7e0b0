import { siteConfig } from "#config";
import type { Route } from "./+types/status";
import { siteSourceContext } from "../site-source.ts";
import { StatusPage } from "../marketing/status-page.tsx";

/** Really asks the engine: a status page that always says "fine" is worthless. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteSourceContext);
  const started = performance.now();
  const isSearching = await site
    .search({ queries: [{ indexUid: siteConfig.search.indexName, q: "cache", limit: 1, offset: 0 }] })
    .then(
      ({ results }) => (results[0]?.hits.length ?? 0) > 0,
      () => false,
    );
  return { ...site.status(), isSearching, searchMs: Math.max(1, Math.round(performance.now() - started)) };
}

export function meta(): Route.MetaDescriptors {
  return [
    { title: `Status – ${siteConfig.name}` },
    { name: "description", content: "What runs on this site at the moment." },
  ];
}

export default function Status({ loaderData }: Route.ComponentProps) {
  return <StatusPage {...loaderData} />;
}
