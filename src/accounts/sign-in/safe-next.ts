const DEFAULT_NEXT = "/app";
const MAX_NEXT_LENGTH = 1000;
/** Only to be resolved against; nothing is ever sent there. */
const NOWHERE = "https://nowhere.invalid";

/**
 * Where a person goes after signing in: a path of this origin, whatever the address bar says.
 *
 * `/console/searches?range=7d` stays; `//evil.example`, `/\evil.example`, `https://evil.example`, `javascript:…` and
 * anything with control characters, which browsers remove before they read it, become `/app`.
 */
export function safeNext(text: string | null | undefined): string {
  if (!text || text.length > MAX_NEXT_LENGTH || !/^\/(?![/\\])[\x21-\x5B\x5D-\x7E]*$/.test(text))
    return DEFAULT_NEXT;
  if (!URL.canParse(text, NOWHERE)) return DEFAULT_NEXT;
  const url = new URL(text, NOWHERE);
  // `/.//evil.example` and the like.
  if (url.origin !== NOWHERE || url.pathname.startsWith("//")) return DEFAULT_NEXT;
  // After signing in, these addresses would show no page.
  return /^\/(?:auth|oauth|api)\//.test(url.pathname) ? DEFAULT_NEXT : url.pathname + url.search + url.hash;
}
