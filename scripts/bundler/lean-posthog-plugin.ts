import type { Plugin } from "vite";

/**
 * posthog-js's extensions are one file, with tables at its end that name them all (`AllExtensions = assign({}, …)`). When marked
 * as pure, unused tables are dropped with everything that only they name: 81 → 51 KB brotli. The build fails if the file's shape
 * changes.
 */
export function leanPostHog(): Plugin {
  return {
    name: "millrace:lean-posthog",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (!id.endsWith("posthog-js/dist/extension-bundles.js")) return undefined;
      const assign = /function (\w+)\(\)\{return \1=Object\.assign\?/.exec(code)?.[1];
      if (!assign)
        this.error(
          "posthog-js has changed: find its Object.assign in extension-bundles.js and update lean-posthog-plugin.ts.",
        );
      return { code: code.replaceAll(`=${assign}({`, `=/*#__PURE__*/${assign}({`), map: null };
    },
  };
}
