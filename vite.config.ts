import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { bootScripts } from "./scripts/bundler/boot-plugin.ts";
import { leanPreload } from "./scripts/bundler/lean-preload-plugin.ts";
import { leanRouter } from "./scripts/bundler/lean-router-plugin.ts";
import { leanPostHog } from "./scripts/bundler/lean-posthog-plugin.ts";
import { publicConfig } from "./scripts/bundler/public-config-plugin.ts";
import { siteConfig } from "#config";
import { iconSprite } from "./scripts/bundler/sprite-plugin.ts";

export default defineConfig({
  define: {
    __SEARCH_PROVIDER__: JSON.stringify(siteConfig.search.provider),
    __RELEASE__: JSON.stringify(process.env["SITE_RELEASE"] ?? "development"),
    __SENTRY_DEBUG__: "false",
    __SENTRY_TRACING__: "false",
  },
  plugins: [
    leanRouter(),
    leanPostHog(),
    leanPreload(),
    publicConfig(),
    iconSprite(),
    bootScripts(),
    tailwindcss(),
    reactRouter(),
  ],
  server: { middlewareMode: true },
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 600, reportCompressedSize: false },
  environments: {
    client: {
      build: {
        // Source maps go to a folder of the server, never to readers: see scripts/steps/source-maps.ts.
        sourcemap: "hidden",
        // The client's files are preloaded by the boot script; files fetched later have no dependencies of their own.
        modulePreload: false,
        rolldownOptions: {
          output: {
            codeSplitting: {
              // React and its router are one file: a single request, and the only one worth preloading.
              groups: [
                // The SDKs of the telemetry and the parser of answers are fetched when needed, each as its own file.
                {
                  name: "vendor",
                  test: /node_modules\/(?!posthog-js|@sentry|search-insights|eventsource-parser)|rolldown.runtime/,
                },
                // Code of documentation pages is one file too: it compresses better than its parts. Each folder of docs/late is a
                // feature that is fetched when a reader uses it; code that the server also runs is in docs/anywhere and is
                // fetched with the features.
                {
                  name: "docs",
                  test: /src\/site\/(?!marketing|reader|docs\/late\/(?!start-)|docs\/anywhere\/|routes\/(site-layout|home|product|trust|changelog|status|your-data|not-found))|src\/ui\/|src\/telemetry\/browser\/choice\.ts|src\/platform\/text|site\.config/,
                },
              ],
            },
          },
        },
      },
    },
  },
});
