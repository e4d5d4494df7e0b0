const modulePreload = /<link rel="modulepreload" href="([^"]+)"[^>]*\/>/g;
const clientEntry = /<script type="module" async="">/;

/**
 * Takes React Router's scripts out of the way of the first view: the preload links go, and the module script that
 * starts the client becomes inert text, which the boot script inserts again at the reader's first intent. Its
 * `data-preload` names the one large chunk, to be fetched when the browser is idle.
 */
export function deferClient(html: string): string {
  const preloads = [...html.matchAll(modulePreload)].map((match) => match[1] ?? "");
  const large = preloads.find((href) => href.includes("/vendor-")) ?? "";
  return html
    .replace(modulePreload, "")
    .replace(clientEntry, `<script type="text/x-client" data-preload="${large}">`);
}
