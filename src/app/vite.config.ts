import tailwindcss from "@tailwindcss/vite";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { siteConfig } from "../../site.config.ts";

// What the pages in front of the application and the frame both begin with.
const SHARED =
  /node_modules\/(?:react|react-dom|scheduler)\/|rolldown.runtime|preload-helper|icons\/(?:check|chevron-down|circle-alert|info|key-round|mail|triangle-alert)\.svg|src\/ui\/|app\/(?:format|ui\/svg-icon|data\/ask-server|gate\/(?:next-page|session-news|sign-out))\.tsx?/;

// Small parts that several screens show: one file instead of dozens. What the pages in front use is not among them.
const PARTS =
  /src\/app\/(?:ui(?:\/keys|\/leaving)?|page|frame|data)\/(?!scroll-frame|icon\b)[\w-]+\.tsx?$|src\/app\/ui\/(?:overlays\/focus-origin|chart\/chart-scale)\.ts$/;

// Libraries of every screen. Behind HTTP/1.1 a browser asks for six files at a time.
const LIBRARIES = /node_modules\/(?:@tanstack\/(?:query-core|react-query)|react-router)\//;

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What the heads of all pages begin with. */
const HEAD = readFileSync(fileOf("head.html"), "utf8");

/**
 * Two pages that share chunks, and no bundle with the documentation: what stands in front of the application, and the
 * application with the console. Whoever signs in loads nothing of the second.
 */
export default defineConfig({
  root: fileOf("."),
  base: "/app/",
  define: { __SITE_NAME__: JSON.stringify(siteConfig.name) },
  plugins: [
    tailwindcss(),
    {
      name: "millrace:head",
      transformIndexHtml: {
        order: "pre",
        // Functions, because "$&" in a name would insert the replaced text.
        handler: (html) =>
          html.replace("<!-- head.html -->", () => HEAD).replace("%NAME%", () => escapeText(siteConfig.name)),
      },
    },
  ],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    // Browsers that run this code preload modules by themselves.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Libraries mark their modules for servers that render React; here everything is for browsers.
      onLog(level, log, handle) {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
      input: {
        app: fileOf("index.html"),
        frame: fileOf("frame.html"),
        // In development and for the tests: each component with the content that strains it.
        ...(process.env["COMPONENT_PAGES"] === "1" && { components: fileOf("components.html") }),
      },
      output: {
        codeSplitting: {
          // What both begin with is one file.
          groups: [
            { name: "shared", test: SHARED },
            { name: "libraries", test: LIBRARIES },
            { name: "parts", test: PARTS, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
