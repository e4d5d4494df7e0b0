import { createHash } from "node:crypto";
import { siteConfig } from "#config";

/** With Algolia, the browser sends searches to Algolia's servers. */
const searchHosts =
  siteConfig.search.provider === "algolia" ? " https://*.algolia.net https://*.algolianet.com" : "";

/**
 * The Content-Security-Policy of every page made from one template: scripts from this origin, and exactly the
 * given inline ones. These belong to the template and are known before anything is rendered; nothing in a
 * page can change its policy. Styles may be inline because diagrams and React set style attributes.
 */
export function contentSecurityPolicy(inlineScripts: string[]): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScripts.map(hashOf)].join(" "),
    "script-src-attr 'none'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${searchHosts}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const hashOf = (code: string) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`;

/** The inline scripts of one of our own templates. Never call it with rendered content. */
export function inlineScriptsOf(template: string): string[] {
  return [...template.matchAll(/<script>([^<]*)<\/script>/g)].map(([, code]) => code ?? "");
}
