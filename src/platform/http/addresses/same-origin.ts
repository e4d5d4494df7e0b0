/**
 * Whether a request comes from one of the site's own pages. Browsers report this in `Sec-Fetch-Site`, older browsers in `Origin`.
 * A request with neither was not sent by another site's page.
 */
export function isSameOrigin(request: Pick<Request, "headers">, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const from = request.headers.get("origin");
  if (from === null) return true;
  if (from === origin) return true;
  return URL.canParse(from) && new URL(from).host === request.headers.get("host");
}
