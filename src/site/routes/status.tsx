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
  // Not a static import: in development, every page would then report the mistakes of a marketing page.
  const { parts } = await import("../marketing/.server/content.ts");
  const named = (state: string) => parts.filter((part) => part.state === state).map(({ name }) => name);
  return {
    ...site.status(),
    // The first part is this site, whose state is measured.
    inRelease: named("available").slice(1),
    toCome: named("preview"),
    isSearching,
    searchMs: Math.max(1, Math.round(performance.now() - started)),
  };
}

export function meta(): Route.MetaDescriptors {
  return [
    { title: `Status – ${siteConfig.name}` },
    { name: "description", content: "What is running on this site." },
  ];
}

export default function Status({ loaderData }: Route.ComponentProps) {
  return <StatusPage {...loaderData} />;
}
