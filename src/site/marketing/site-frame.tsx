import { useEffect, type ReactNode } from "react";
import { siteConfig } from "#config";
import { Notices } from "../ui/notices.tsx";
import { SiteHeader } from "../ui/site-header.tsx";
import { ChatLink } from "./chat-link.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { startMarketing } from "./start-marketing.ts";

const columns = [
  {
    heading: "Products",
    links: [
      { label: "Container builds", to: "/container-builds" },
      { label: "Registry", to: "/registry" },
      { label: "CI runners", to: "/runners" },
      { label: "Cache", to: "/cache" },
      { label: "Agents", to: "/agents" },
      { label: "Managed on AWS", to: "/managed" },
    ],
  },
  {
    heading: "Developers",
    links: [
      { label: "Documentation", to: "/docs" },
      { label: "CLI reference", to: "/docs/cli/reference" },
      { label: "API", to: "/docs/api/overview" },
      { label: "Changelog", to: "/changelog" },
    ],
  },
  { heading: "Operations", links: [{ label: "Trust", to: "/trust" }, ...siteConfig.footer] },
];

/** Header and footer of the pages outside the documentation. */
export function SiteFrame({ children }: { children: ReactNode }) {
  const { name, owner, header, social, trust } = siteConfig;
  useEffect(() => startMarketing(document.documentElement), []);
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <SiteHeader
        name={name}
        links={header.links}
        action={header.action}
        tools={<ChatLink place="header" />}
        menuEnd={<ChatLink place="menu" />}
      />
      {children}
      <SiteFooter
        name={name}
        owner={owner}
        tagline="Fast water through your builds."
        columns={columns}
        social={social}
        badges={trust}
      />
      <Notices />
    </>
  );
}
