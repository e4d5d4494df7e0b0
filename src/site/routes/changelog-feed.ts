import type { Route } from "./+types/changelog-feed";
import { siteSourceContext } from "../site-source.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { changelogFeed } = await import("../marketing/.server/changelog.tsx");
  const xml = await changelogFeed(context.get(siteSourceContext).origin);
  return new Response(xml, { headers: { "Content-Type": "application/rss+xml; charset=utf-8" } });
}
