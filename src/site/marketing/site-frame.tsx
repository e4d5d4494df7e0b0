import { useEffect, type ReactNode } from "react";
import { siteConfig } from "#config";
import type { ProductPath } from "../products.ts";
import { headerLinks } from "../ui/header-links.ts";
import { Notices } from "../ui/notices.tsx";
import { SiteHeader } from "../ui/site-header.tsx";
import { ChatLink } from "./chat-link.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { startMarketing } from "./start-marketing.ts";

/** A short description of each product, for the header's menu. */
const HINTS: Record<ProductPath, string> = {
  "/container-builds": "Warm builders with their layer cache",
  "/registry": "Images where they were built",
  "/runners": "One machine for one job",
  "/cache": "Your build tools, one address",
  "/agents": "A sandbox for each task",
  "/managed": "The whole service in your account",
};

const columns = [
  ...headerLinks.flatMap((item) => ("links" in item ? [{ heading: item.label, links: item.links }] : [])),
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
        hints={HINTS}
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
