/** What must not be kept is cut out of texts before anything else sees them. Every scan here is linear. */

/** An address longer than this is looked at as far as here. */
const maxAddressLength = 2000;

const endOfAddress = /[\s"'<>?#\\]/g;
const endOfQuery = /[\s"'<>\\]/g;
const endOfPath = /[\s?#]/g;
const wordCharacter = /\w/;

/** Cuts the query and the fragment off every address in a text, and off a text that is a path. */
export function cutQueries(text: string): string {
  if (!text.includes("?") && !text.includes("#")) return text;
  return cutQueryOfPath(cutQueriesOfAddresses(text));
}

/** Goes on where it has stopped, so that no character is looked at twice, whatever the text repeats. */
function cutQueriesOfAddresses(text: string): string {
  let kept = "";
  let copied = 0;
  let position = 0;
  for (;;) {
    const start = text.indexOf("http", position);
    if (start === -1) return kept + text.slice(copied);
    position = afterScheme(text, start);
    if (position === -1) {
      position = start + "http".length;
      continue;
    }
    const stop = find(endOfAddress, text, position);
    // Every other address that begins before `stop` would end there as well.
    position = stop;
    if (text[stop] !== "?" && text[stop] !== "#") continue;
    kept += text.slice(copied, stop);
    copied = find(endOfQuery, text, stop);
    position = copied;
  }
}

/** The place after `http://` or `https://` as a word of its own; -1 for anything else. */
function afterScheme(text: string, start: number): number {
  if (start > 0 && wordCharacter.test(text[start - 1] ?? "")) return -1;
  const colon = start + (text[start + 4] === "s" ? 5 : 4);
  return text.startsWith("://", colon) ? colon + 3 : -1;
}

function cutQueryOfPath(text: string): string {
  if (!text.startsWith("/")) return text;
  const stop = find(endOfPath, text, 0);
  return text[stop] === "?" || text[stop] === "#" ? text.slice(0, stop) : text;
}

/** The first place from `start` on at which one of the characters stands, else the text's end. */
function find(characters: RegExp, text: string, start: number): number {
  characters.lastIndex = start;
  return characters.exec(text)?.index ?? text.length;
}

/** The path of an address or path, without query; null for what is neither. */
export function pathOf(address: unknown): string | null {
  if (typeof address !== "string") return null;
  const start = address.slice(0, maxAddressLength);
  if (start.startsWith("/") && !start.startsWith("//")) return cutQueries(start).slice(0, 500);
  if (!/^https?:\/\//.test(start)) return null;
  return URL.canParse(start) ? new URL(start).pathname.slice(0, 500) : null;
}

/** The host of an address: `www.example.com`. */
export function hostOf(address: unknown): string | null {
  if (typeof address !== "string") return null;
  const start = address.slice(0, maxAddressLength);
  return URL.canParse(start) ? new URL(start).host.slice(0, 200) || null : null;
}

/** Who sends a request, in the words that must not be kept. */
export interface Sender {
  address: string | null;
  userAgent: string | null;
}

/** Browsers' are 100 to 250 characters; what stands behind these does not tell one from another. */
const maxUserAgentLength = 1000;

/**
 * Takes the sender's own address and user agent out of a body, wherever an SDK may have put them.
 * @param text JSON or an envelope, before it is parsed
 */
export function removeSender(text: string, { address, userAgent }: Sender, family: string): string {
  let cleaned = text;
  // Loopback and its short forms occur in texts of other meaning, and identify nobody.
  if (address && address.length >= 7 && !address.startsWith("127.") && cleaned.includes(address))
    cleaned = cleaned.replaceAll(address, "");
  const named = userAgent?.slice(0, maxUserAgentLength);
  if (named && named.length >= 8 && !/["\\]/.test(named) && cleaned.includes(named))
    // Never longer than before: a body must not grow by being cleaned.
    cleaned = cleaned.replaceAll(named, family.slice(0, named.length));
  return cleaned;
}
