import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { bootScript } from "./scripts/build/boot-plugin.ts";
import { iconSprite } from "./scripts/build/sprite-plugin.ts";

export default defineConfig({
  plugins: [iconSprite(), bootScript(), tailwindcss(), reactRouter()],
  server: { middlewareMode: true },
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 600, reportCompressedSize: false },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // React and its router are one file: a single request, and the only one worth preloading.
              groups: [{ name: "vendor", test: /node_modules/ }],
            },
          },
        },
      },
    },
  },
});
