import { createHash } from "node:crypto";
import { siteConfig } from "#config";

const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** With Algolia the browser asks its servers. */
const searchHosts =
  siteConfig.search.provider === "algolia" ? " https://*.algolia.net https://*.algolianet.com" : "";

/**
 * The Content-Security-Policy of one HTML page: scripts from this origin, and exactly the inline scripts that stand in
 * the page, by hash. Styles may be inline because diagrams and React set style attributes.
 */
export function contentSecurityPolicy(html: string): string {
  const hashes = new Set<string>();
  for (const [, code] of html.matchAll(inlineScript))
    hashes.add(
      `'sha256-${createHash("sha256")
        .update(code ?? "")
        .digest("base64")}'`,
    );
  return [
    "default-src 'self'",
    `script-src 'self' ${[...hashes].join(" ")}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${searchHosts}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Headers of every answer. */
export const commonHeaders: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
};
