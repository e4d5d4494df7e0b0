/**
 * A client's accepted forms (RFC 9110, section 12.5) and cached tags (section 13.1.2), read from its headers. Every function
 * scans at most `MAX_HEADER_LENGTH` characters, once.
 */

/**
 * Characters of `Accept`, `Accept-Encoding` and `If-None-Match` that are read; browsers send fewer than 200.
 */
export const MAX_HEADER_LENGTH = 2 * 1024;

/** Lower-case name (`text/html`, `br`, `*`) → quality from 0 to 1; absent names are missing. */
export type Qualities = Map<string, number>;

/** `text/html, *\/*;q=0.8` → {"text/html" → 1, "*\/*" → 0.8}. Unreadable parts are left out. */
export function parseQualities(header: string): Qualities {
  const qualities: Qualities = new Map();
  for (const entry of header.slice(0, MAX_HEADER_LENGTH).split(",")) {
    const [name = "", ...parameters] = entry.split(";");
    const weight = parameters
      .map((parameter) => parameter.trim().toLowerCase())
      .find((text) => text.startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.slice(2).trim() || Number.NaN);
    if (quality >= 0 && quality <= 1) qualities.set(name.trim().toLowerCase(), quality);
  }
  return qualities;
}

/** The quality of a media type, from the most specific matching entry. */
export function qualityOf(accepted: Qualities, type: string): number {
  return (
    accepted.get(type) ?? accepted.get(`${type.slice(0, type.indexOf("/"))}/*`) ?? accepted.get("*/*") ?? 0
  );
}

/** The forms of a documentation page: HTML, Markdown, or plain text for a client that accepts neither. */
export type PageForm = "html" | "markdown" | "text";

/**
 * Markdown for clients that name it (`Accept: text/markdown`, as coding agents do) and do not prefer HTML; HTML for
 * all other clients that accept it, or send no `Accept`.
 */
export function chooseForm(accept: string | null): PageForm {
  if (!accept || accept === "*/*") return "html";
  const accepted = parseQualities(accept);
  const html = qualityOf(accepted, "text/html");
  const markdown = accepted.get("text/markdown") ?? 0;
  const isHtmlNamed = accepted.has("text/html");
  if (markdown > html || (markdown > 0 && markdown === html && !isHtmlNamed)) return "markdown";
  return html > 0 ? "html" : "text";
}

/** The better stored encoding of a file; undefined: uncompressed. */
export function chooseEncoding(
  header: string | null,
  stored: { br: boolean; gzip: boolean },
): "br" | "gzip" | undefined {
  if (!header) return undefined;
  const accepted = parseQualities(header);
  const isAccepted = (name: string) => (accepted.get(name) ?? accepted.get("*") ?? 0) > 0;
  if (stored.br && isAccepted("br")) return "br";
  return stored.gzip && isAccepted("gzip") ? "gzip" : undefined;
}

const ENTITY_TAG = /(?:W\/)?("[^"]*")/y;

/**
 * Whether `If-None-Match` names the tag of the current content. Tags are compared weakly: a compressing proxy may have weakened
 * one. If the header is too long or is not a list of tags, the answer is sent.
 * @param etag with its quotation marks, strong.
 */
export function hasEntityTag(header: string | null, etag: string): boolean {
  if (!header || header.length > MAX_HEADER_LENGTH) return false;
  if (header.trim() === "*") return true;
  let isKnown = false;
  for (let at = 0; at < header.length; at += 1) {
    if (header[at] === " " || header[at] === "\t" || header[at] === ",") continue;
    ENTITY_TAG.lastIndex = at;
    const tag = ENTITY_TAG.exec(header);
    if (!tag) return false;
    isKnown ||= tag[1] === etag;
    at = ENTITY_TAG.lastIndex - 1;
  }
  return isKnown;
}
