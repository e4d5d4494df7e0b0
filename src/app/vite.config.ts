import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { siteConfig } from "../../site.config.ts";

const SHARED =
  /node_modules\/(?:react|react-dom|scheduler)\/|rolldown.runtime|preload-helper|icons\/(?:check|chevron-down|info|triangle-alert)\.svg|src\/ui\/|app\/(?:format|ui\/(?:svg-icon|scroll-frame)|gate\/(?:ask-server|next-page|session-news|sign-out))\.tsx?/;

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * The application and the console: two pages that share chunks, and no bundle with the documentation. Whoever signs in
 * loads nothing of the console.
 */
export default defineConfig({
  root: fileOf("."),
  base: "/app/",
  define: { __SITE_NAME__: JSON.stringify(siteConfig.name) },
  plugins: [
    tailwindcss(),
    {
      name: "millrace:titles",
      // A function, because "$&" in a name would insert the replaced text.
      transformIndexHtml: (html) => html.replace("%NAME%", () => escapeText(siteConfig.name)),
    },
  ],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: { app: fileOf("index.html"), console: fileOf("console.html") },
      output: {
        codeSplitting: {
          // What both begin with is one file.
          groups: [{ name: "shared", test: SHARED }],
        },
      },
    },
  },
});

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
