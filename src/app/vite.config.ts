import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { siteConfig } from "../../site.config.ts";

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
    rolldownOptions: { input: { app: fileOf("index.html"), console: fileOf("console.html") } },
  },
});

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
