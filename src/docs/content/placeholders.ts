import { type SiteAddress, siteAddress } from "../site-address.ts";

/**
 * `{{origin}}` would be an expression in MDX. Before parsing it becomes a word of the same length, so that columns stay
 * right, that no parser, slugger or URL encoder touches; afterwards every string of the result gets it back.
 */
const names = ["origin", "host"] as const;

export function hidePlaceholders(source: string): string {
  return names.reduce((text, name) => text.replaceAll(`{{${name}}}`, `qZ${name}Zq`), source);
}

export function restorePlaceholders(text: string): string {
  return names.reduce((result, name) => result.replaceAll(`qZ${name}Zq`, `{{${name}}}`), text);
}

/** Restores in every string inside `value`. */
export function restoreAll<Value>(value: Value): Value {
  // JSON.parse gives back the shape that went in: the value is plain data.
  return JSON.parse(restorePlaceholders(JSON.stringify(value))) as Value;
}

/** Replaces the placeholders by the site's own address, `https://docs.example.com` without a trailing slash. */
export function fillPlaceholders(text: string, origin: string): string {
  return fillAddress(text, siteAddress(origin));
}

export function fillAddress(text: string, { origin, host }: SiteAddress): string {
  return text.replaceAll("{{origin}}", () => origin).replaceAll("{{host}}", () => host);
}
