import { routerContextScript } from "../boot/router-context.ts";

const modulePreload = /<link rel="modulepreload" href="([^"]+)"[^>]*\/>/g;
const moduleScript = /<script type="module" async="">([\s\S]*?)<\/script>/;
const contextScript = /<script>(window\.__reactRouterContext = [\s\S]*?)<\/script>/;
const streamScript = /<script>(window\.__reactRouterContext\.streamController\.[\s\S]*?)<\/script>/g;

/**
 * Takes React Router's scripts out of the way of the first view: the preload links go, and its scripts (the data of the
 * page, and the module that starts the client) become one inert text, which the boot script runs at the reader's first
 * intent after the context that it has itself. Its `data-preload` names the one large chunk, to be fetched once the page is painted. The two script elements
 * that React will hydrate stay where they are.
 */
export function deferClient(html: string): string {
  const large = [...html.matchAll(modulePreload)].find(([, href]) => href?.includes("/vendor-"))?.[1] ?? "";
  const context = contextScript.exec(html)?.[1] ?? "";
  if (context !== routerContextScript)
    throw new Error(
      `React Router's context has changed; update src/site/boot/router-context.ts to: ${context}`,
    );
  const module = moduleScript.exec(html)?.[1] ?? "";
  const stream = [...html.matchAll(streamScript)].map(([, code]) => code?.trim() ?? "");
  const client = [...stream, module].join("\n").replace(/\n\s*/g, "\n");
  return html
    .replace(modulePreload, "")
    .replace(streamScript, "")
    .replace(contextScript, "<script></script>")
    .replace(moduleScript, () => `<script type="text/x-client" data-preload="${large}">${client}</script>`);
}
