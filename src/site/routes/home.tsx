import { siteConfig } from "#config";
import type { Route } from "./+types/home";
import { HomePage, type Product } from "../marketing/home-page.tsx";
import { siteSourceContext } from "../site-source.ts";
import { SiteFrame } from "../marketing/site-frame.tsx";

const products: Product[] = [
  {
    label: "Container builds",
    to: "/docs/container-builds/overview",
    icon: "container",
    text: "Warm BuildKit builders, one for each project and architecture, with the layer cache on local disk.",
  },
  {
    label: "Registry",
    to: "/docs/registry/overview",
    icon: "archive",
    text: "Push and pull images at the site’s own address, by tag or by digest.",
  },
  {
    label: "CI runners",
    to: "/docs/github-actions/overview",
    icon: "workflow",
    text: "One fresh machine for each GitHub Actions job, next to cache and registry.",
  },
  {
    label: "Cache",
    to: "/docs/cache/overview",
    icon: "database-zap",
    text: "One remote cache for Bazel, Go, Gradle, Maven, moonrepo, Pants, sccache and Turborepo.",
  },
  {
    label: "CLI and API",
    to: "/docs/cli/reference",
    icon: "square-terminal",
    text: "Every flag of docker buildx, and one typed API behind it.",
  },
  {
    label: "Agents",
    to: "/docs/agents/overview",
    icon: "bot",
    text: "Sandboxes in which coding agents work on a checkout, resumed and shared by the team.",
  },
];

export function loader({ context }: Route.LoaderArgs) {
  return { origin: context.get(siteSourceContext).origin };
}

export function meta({ loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  const origin = loaderData?.origin ?? "";
  return [
    { title: `${siteConfig.name}: build infrastructure that you host` },
    { name: "description", content: siteConfig.description },
    { tagName: "link", rel: "canonical", href: `${origin}/` },
    { property: "og:title", content: siteConfig.name },
    { property: "og:description", content: siteConfig.description },
    { property: "og:image", content: `${origin}/og-docs.png` },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:image", content: `${origin}/og-docs.png` },
  ];
}

export default function Home() {
  return (
    <SiteFrame>
      <HomePage action={siteConfig.header.action} products={products} />
    </SiteFrame>
  );
}
