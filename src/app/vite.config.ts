import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { siteConfig } from "../../site.config.ts";

/** The console is a separate application: it shares no bundle with the documentation. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/console/",
  define: { __SITE_NAME__: JSON.stringify(siteConfig.name) },
  plugins: [
    tailwindcss(),
    {
      name: "millrace:console-title",
      // A function, because "$&" in a name would insert the replaced text.
      transformIndexHtml: (html) => html.replace("%NAME%", () => escapeText(siteConfig.name)),
    },
  ],
  build: { target: "es2022", assetsInlineLimit: 0, reportCompressedSize: false, chunkSizeWarningLimit: 600 },
});

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
