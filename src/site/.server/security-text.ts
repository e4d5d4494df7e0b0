import { siteConfig } from "#config";

/** RFC 9116 requires less than a year. */
const VALID_MS = 364 * 24 * 60 * 60 * 1000;

/**
 * `/.well-known/security.txt` (RFC 9116). It expires a day less than a year after the build; if `site.config.ts` has no
 * contact, it points to the page that explains how to report.
 */
export function securityText(origin: string, builtAt: Date): string {
  const contact = siteConfig.trust.securityContact ?? `${origin}/trust#contact`;
  const expires = new Date(builtAt.getTime() + VALID_MS).toISOString();
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    "Preferred-Languages: en",
    `Canonical: ${origin}/.well-known/security.txt`,
    `Policy: ${origin}/docs/security#report-a-vulnerability`,
  ];
  return `${lines.join("\n")}\n`;
}
