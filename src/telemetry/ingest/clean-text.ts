/** What must not be kept is cut out of texts before anything else sees them. */

const queryOfAddress = /(\bhttps?:\/\/[^\s"'<>?#\\]*)[?#][^\s"'<>\\]*/g;
const queryOfPath = /^(\/[^\s?#]*)[?#].*$/s;

/** Cuts the query and the fragment off every address in a text, and off a text that is a path. */
export function cutQueries(text: string): string {
  if (!text.includes("?") && !text.includes("#")) return text;
  return text.replace(queryOfAddress, "$1").replace(queryOfPath, "$1");
}

/** The path of an address or path, without query; null for what is neither. */
export function pathOf(address: unknown): string | null {
  if (typeof address !== "string") return null;
  if (address.startsWith("/") && !address.startsWith("//")) return cutQueries(address).slice(0, 500);
  if (!/^https?:\/\//.test(address)) return null;
  return URL.canParse(address) ? new URL(address).pathname.slice(0, 500) : null;
}

/** The host of an address: `www.example.com`. */
export function hostOf(address: unknown): string | null {
  if (typeof address !== "string" || !URL.canParse(address)) return null;
  return new URL(address).host.slice(0, 200) || null;
}

/** Who sends a request, in the words that must not be kept. */
export interface Sender {
  address: string | null;
  userAgent: string | null;
}

/**
 * Takes the sender's own address and user agent out of a body, wherever an SDK may have put them.
 * @param text JSON or an envelope, before it is parsed
 */
export function removeSender(text: string, { address, userAgent }: Sender, family: string): string {
  let cleaned = text;
  // Loopback and its short forms occur in texts of other meaning, and identify nobody.
  if (address && address.length >= 7 && !address.startsWith("127.") && cleaned.includes(address))
    cleaned = cleaned.replaceAll(address, "");
  if (userAgent && userAgent.length >= 8 && !/["\\]/.test(userAgent) && cleaned.includes(userAgent))
    cleaned = cleaned.replaceAll(userAgent, family);
  return cleaned;
}
