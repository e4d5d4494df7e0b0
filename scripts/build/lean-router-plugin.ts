import type { Plugin } from "vite";

/**
 * Parts of React Router that this site does not use, and that no option takes out of the bundle: lazy discovery of routes
 * (`routeDiscovery` is `initial`) and instrumentation. In the browser's build they become what they do when they are
 * off; it saves about 2 KB brotli. The version is pinned; the check below fails the build when a part has moved.
 */
const parts: { [file: string]: string } = {
  "fog-of-war.js": `
    export const isFogOfWarEnabled = () => false;
    export const getPatchRoutesOnNavigationFunction = () => undefined;
    export const getPartialManifest = () => ({});
    export const useFogOFWarDiscovery = () => {};`,
  "instrumentation.js": `
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
    export const getRouteInstrumentationUpdates = () => ({});
    export const instrumentClientSideRouter = (router) => router;`,
};

export function leanRouter(): Plugin {
  const replaced = new Set<string>();
  return {
    name: "millrace:lean-router",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    resolveId(source, importer) {
      const file = source.slice(source.lastIndexOf("/") + 1);
      // Server components and the server are never in the browser's bundle; their imports only have to resolve.
      if (!importer || !/\/react-router\/dist\/\w+\/(?!lib\/(rsc|server-runtime))/.test(importer)) return undefined;
      if (!(file in parts)) return undefined;
      replaced.add(file);
      return `\0lean-router/${file}`;
    },
    load: (id) => (id.startsWith("\0lean-router/") ? parts[id.slice("\0lean-router/".length)] : undefined),
    buildEnd(error) {
      const missing = Object.keys(parts).filter((file) => !replaced.has(file));
      if (!error && missing.length > 0) this.error(`React Router has no ${missing.join(", ")} any more: update lean-router-plugin.ts.`);
    },
  };
}
