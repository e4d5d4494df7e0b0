import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { bootScripts } from "./scripts/build/boot-plugin.ts";
import { leanRouter } from "./scripts/build/lean-router-plugin.ts";
import { siteConfig } from "./site.config.ts";
import { iconSprite } from "./scripts/build/sprite-plugin.ts";

export default defineConfig({
  define: { __SEARCH_PROVIDER__: JSON.stringify(siteConfig.search.provider) },
  plugins: [leanRouter(), iconSprite(), bootScripts(), tailwindcss(), reactRouter()],
  server: { middlewareMode: true },
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 600, reportCompressedSize: false },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // React and its router are one file: a single request, and the only one worth preloading.
              groups: [
                { name: "vendor", test: /node_modules/ },
                // What a page of the documentation needs is one file too: it compresses better than its parts.
                {
                  name: "docs",
                  test: /src\/site\/(?!marketing|styles\/(marketing|site-footer|not-found)|routes\/(home|product|trust|changelog|status|not-found))|site\.config/,
                },
              ],
            },
          },
        },
      },
    },
  },
});
