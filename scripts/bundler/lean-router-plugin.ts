import type { Plugin } from "vite";

/**
 * Parts of React Router that this site does not use, and that no option removes from the bundle: lazy discovery of routes
 * (`routeDiscovery` is `initial`), instrumentation, and fallbacks for a root route without an error boundary or with its own
 * loader. The browser's build replaces them with their behavior when off. If the layout itself fails, the page says only that,
 * without the error's stack. Saves about 2.5 KB brotli. The version is pinned; the check below fails the build if a part has
 * moved.
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
  "errorBoundaries.js": `
    import { Component, createElement as h } from "react";
    export class RemixErrorBoundary extends Component {
      state = { error: this.props.error };
      static getDerivedStateFromError = (error) => ({ error });
      static getDerivedStateFromProps({ error, location }, state) {
        return { location, error: error ?? (state.location === location ? state.error : undefined) };
      }
      render() {
        if (!this.state.error) return this.props.children;
        return h("html", null, h("body", null, h("h1", null, "This page could not be shown"), h("a", { href: "/" }, "Home")));
      }
    }
    export const RemixRootDefaultErrorBoundary = () => null;`,
  "fallback.js": `
    export const RemixRootDefaultHydrateFallback = () => null;`,
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
      // Server components and the server never reach the browser's bundle; their imports only need to resolve.
      if (!importer || !/\/react-router\/dist\/\w+\/(?!lib\/(rsc|server-runtime))/.test(importer))
        return undefined;
      if (!(file in parts) || source.includes("/rsc/")) return undefined;
      replaced.add(file);
      return `\0lean-router/${file}`;
    },
    load: (id) => (id.startsWith("\0lean-router/") ? parts[id.slice("\0lean-router/".length)] : undefined),
    buildEnd(error) {
      const missing = Object.keys(parts).filter((file) => !replaced.has(file));
      if (!error && missing.length > 0)
        this.error(`React Router has no ${missing.join(", ")} any more: update lean-router-plugin.ts.`);
    },
  };
}
