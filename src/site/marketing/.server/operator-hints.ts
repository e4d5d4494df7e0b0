import type { SiteConfig } from "../../../site-config.ts";

/**
 * What an operator may still want to set in `site.config.ts`, one sentence each. The terminal shows them at the start:
 * readers of the public pages could not do anything about them.
 */
export function operatorHints({ community, social, trust }: SiteConfig): string[] {
  const hints: [isOpen: boolean, hint: string][] = [
    [community === null, "Pages link to no chat: `community` names one, with the number of those online."],
    [
      social.length === 0,
      "The home page shows sample marks of social networks: `social` names your accounts.",
    ],
    [
      trust.securityContact === null,
      "/trust and security.txt have no address for reports of vulnerabilities: `trust.securityContact` names one.",
    ],
    [trust.soc, "The SOC badge is a sample: `trust.soc: false` takes it away."],
    [trust.funding, "The funding badge is a sample: `trust.funding: false` takes it away."],
  ];
  return hints.filter(([isOpen]) => isOpen).map(([, hint]) => `site.config.ts: ${hint}`);
}
