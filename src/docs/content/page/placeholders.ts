import { type SiteAddress, siteAddress } from "../../address/site-address.ts";

/**
 * `{{origin}}` would be an expression in MDX. Before parsing it becomes a word that no parser, slugger or URL encoder changes,
 * of the same length, so that columns stay correct; afterwards it is restored in every string of the result.
 */
const NAMES = ["origin", "host"] as const;

export function hidePlaceholders(source: string): string {
  return NAMES.reduce((text, name) => text.replaceAll(`{{${name}}}`, `qZ${name}Zq`), source);
}

export function restorePlaceholders(text: string): string {
  return NAMES.reduce((result, name) => result.replaceAll(`qZ${name}Zq`, `{{${name}}}`), text);
}

/** Restores placeholders in every string inside `value`. */
export function restoreAll<Value>(value: Value): Value {
  // The value is plain data, so JSON.parse returns the same shape.
  return JSON.parse(restorePlaceholders(JSON.stringify(value))) as Value;
}

/** Replaces the placeholders by the site's address, `https://docs.example.com` without a trailing slash. */
export function fillPlaceholders(text: string, origin: string): string {
  return fillAddress(text, siteAddress(origin));
}

export function fillAddress(text: string, { origin, host }: SiteAddress): string {
  return text.replaceAll("{{origin}}", () => origin).replaceAll("{{host}}", () => host);
}
