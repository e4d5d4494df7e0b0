/**
 * What a client accepts (RFC 9110, section 12.5) and what it has already (section 13.1.2), read from its headers. Every
 * function is one scan over at most `MAX_HEADER_LENGTH` characters.
 */

/** Characters of `Accept`, `Accept-Encoding` and `If-None-Match` that are read; browsers send below 200. */
export const MAX_HEADER_LENGTH = 2 * 1024;

/** Lower-case name (`text/html`, `br`, `*`) → quality from 0 to 1; a name that is not there was not sent. */
export type Qualities = Map<string, number>;

/** `text/html, *\/*;q=0.8` → {"text/html" → 1, "*\/*" → 0.8}. What cannot be read is left out. */
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

/** The quality of a media type: what names it most exactly counts. */
export function qualityOf(accepted: Qualities, type: string): number {
  return (
    accepted.get(type) ?? accepted.get(`${type.slice(0, type.indexOf("/"))}/*`) ?? accepted.get("*/*") ?? 0
  );
}

/** What answers an address of the documentation: the page, its Markdown, or plain text for a client that reads neither. */
export type PageForm = "html" | "markdown" | "text";

/**
 * Markdown is for who names it (`Accept: text/markdown`, as coding agents send it) and likes HTML no better; HTML for
 * everybody else who takes it, and for who does not say.
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

/** The better of two encodings that a file may be stored in; undefined: as it is. */
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

const entityTag = /(?:W\/)?("[^"]*")/y;

/**
 * Whether `If-None-Match` names the tag of what would be sent. Tags are compared weakly: a proxy that compresses may have
 * made ours weak. A header that is too long or is no list of tags names none, so the answer is sent.
 * @param etag with its quotation marks, strong.
 */
export function hasEntityTag(header: string | null, etag: string): boolean {
  if (!header || header.length > MAX_HEADER_LENGTH) return false;
  if (header.trim() === "*") return true;
  let isKnown = false;
  for (let at = 0; at < header.length; at += 1) {
    if (header[at] === " " || header[at] === "\t" || header[at] === ",") continue;
    entityTag.lastIndex = at;
    const tag = entityTag.exec(header);
    if (!tag) return false;
    isKnown ||= tag[1] === etag;
    at = entityTag.lastIndex - 1;
  }
  return isKnown;
}
