import type { SiteConfig } from "../../../site-config.ts";

/**
 * Missing settings of `site.config.ts` that the operator may want, one sentence each. The terminal shows them at the start:
 * readers of the public pages could not change them.
 */
export function operatorHints({ community, social, trust }: SiteConfig): string[] {
  const hints: [isOpen: boolean, hint: string][] = [
    [community === null, "Pages do not link to a chat: set `community` to add a chat and its online count."],
    [social.length === 0, "The home page shows sample social network logos: set `social` to your accounts."],
    [
      trust.securityContact === null,
      "/trust and security.txt have no address for vulnerability reports: set `trust.securityContact`.",
    ],
    [trust.soc, "The SOC badge is a sample: `trust.soc: false` removes it."],
    [trust.funding, "The funding badge is a sample: `trust.funding: false` removes it."],
  ];
  return hints.filter(([isOpen]) => isOpen).map(([, hint]) => `site.config.ts: ${hint}`);
}
