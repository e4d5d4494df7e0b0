import type { EntryContext } from "react-router";
import type { ClientFiles } from "../boot/start-client.ts";
import { ROUTER_CONTEXT } from "../boot/router-context.ts";
import type { ClientText } from "../site-source.ts";

/** Data that React Router would write as scripts; here it becomes the text that `boot/start-client.ts` reads. */
type Rendered = Pick<EntryContext, "manifest" | "serverHandoffString" | "serverHandoffStream"> & {
  staticHandlerContext: { matches: { route: { id: string } }[] };
};

/**
 * Uses up the router's stream: later rendering contains no scripts from React Router.
 * @throws if a new version of the router expects another context or more modules than the boot script
 * provides.
 */
export async function clientText(context: Rendered): Promise<ClientText> {
  if (context.serverHandoffString !== JSON.stringify(ROUTER_CONTEXT))
    throw new Error(
      `React Router's context has changed; update src/site/boot/router-context.ts to: ${context.serverHandoffString}`,
    );
  const { manifest, serverHandoffStream } = context;
  delete context.serverHandoffStream;
  const files: ClientFiles = {
    manifest: manifest.url,
    entry: manifest.entry.module,
    routes: routeModules(context),
  };
  const data = await new Response(serverHandoffStream ?? null).text();
  return {
    preload: manifest.entry.imports.find((address) => address.includes("/vendor-")),
    // "</script>" inside a text must not end the element; in both parts "<" occurs in strings only.
    text: `${JSON.stringify(files)}\n${data}`.replaceAll("<", "\\u003c"),
  };
}

function routeModules({ manifest, staticHandlerContext }: Rendered): ClientFiles["routes"] {
  const entries = staticHandlerContext.matches.map(({ route: { id } }) => {
    const route = manifest.routes[id];
    if (!route || route.clientLoaderModule || route.clientActionModule || route.hydrateFallbackModule)
      throw new Error(
        `Route "${id}" does not have exactly one module: src/site/boot/start-client.ts must load the others as well.`,
      );
    return [id, route.module] as const;
  });
  return Object.fromEntries(entries);
}
