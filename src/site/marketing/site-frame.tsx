import type { ReactNode } from "react";
import { siteConfig } from "#config";
import { Notices } from "../ui/notices.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "../ui/site-header.tsx";

const columns = [
  {
    heading: "Products",
    links: [
      { label: "Container builds", to: "/docs/container-builds/overview" },
      { label: "Registry", to: "/docs/registry/overview" },
      { label: "CI runners", to: "/docs/github-actions/overview" },
      { label: "Cache", to: "/docs/cache/overview" },
    ],
  },
  {
    heading: "Developers",
    links: [
      { label: "Documentation", to: "/docs" },
      { label: "CLI reference", to: "/docs/cli/reference" },
      { label: "API", to: "/docs/api/overview" },
      { label: "Agents", to: "/docs/agents/overview" },
    ],
  },
  { heading: "Operations", links: siteConfig.footer },
];

/** Header and footer of the pages outside the documentation. */
export function SiteFrame({ children }: { children: ReactNode }) {
  const { name, owner, header, social, description } = siteConfig;
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <SiteHeader name={name} links={header.links} action={header.action} />
      {children}
      <SiteFooter name={name} owner={owner} tagline={description} columns={columns} social={social} />
      <Notices />
    </>
  );
}
