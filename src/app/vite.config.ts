import tailwindcss from "@tailwindcss/vite";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type HtmlTagDescriptor, type Rolldown } from "vite";
import { siteConfig } from "#config";
import { escapeXml } from "#platform/text/escape-xml.ts";

// Code that both the pages in front of the application and the frame start with.
const SHARED =
  /node_modules\/(?:react|react-dom|scheduler)\/|icons\/(?:check|chevron-down|circle-alert|info|key-round|mail|triangle-alert)\.svg|src\/ui\/|app\/(?:format|numbers|ui\/svg-icon|gate\/(?:identity-boundary|next-page|session-news|sign-out))\.tsx?/;

// The first code of the application's page, while the rest is still loading: nothing here may need React.
const EARLY =
  /node_modules\/@tanstack\/(?:query-core|react-query\/build\/modern\/(?:infiniteQ|q)ueryOptions)|src\/app\/(?:begin|frame\/(?:early-reads|screen-(?:loads|path))|data\/(?:call|choose-organization|first-answers|queries|query-client)|screens\/(?:builders\/builders-queries|builds\/build-queries|cache\/cache-queries|images\/image-queries|overview\/(?:checklist-hidden|first-run|latest-changes-query|range|today-spans)|projects\/(?:exchanges|layer-cache|project)-query|settings\/audit\/audit-log-query|usage\/(?:months|usage-query)))\.(?:js|ts)$|src\/app\/styles\/frame\.css$/;

// Both pages start with it, and nothing else is in both of their first files.
const ASKING =
  /rolldown.runtime|preload-helper|app\/(?:data\/(?:as-sentence|ask-server|confirming|send)|dates|lazily)\.ts/;

// Small parts of several screens: separately each would be a request to the server.
const PROJECT_PARTS =
  /src\/app\/screens\/projects\/(?:copy-project-file|project-frame|project-name|project-settings-values)\.tsx?$/;
const SETTINGS_PARTS = /src\/app\/screens\/settings\/(?:choice|tokens\/token-words)\.tsx?$/;

// Most of their functions are called before the first paint: Chromium compiles them off the main thread on request.
const CALLED_AT_ONCE: ReadonlySet<string> = new Set(["early", "frame", "shared"]);

// The frame, the libraries of every screen and small shared parts. Parts that the pages in front use are not here.
const FRAME =
  /src\/app\/frame\.tsx$|node_modules\/(?:@tanstack\/react-query|react-router|use-sync-external-store)\/|src\/app\/screens\/settings\/use-settings-crumbs\.ts$|src\/app\/(?:ui(?:\/keys|\/leaving)?|page|frame|data)\/(?!code-field|scroll-frame|icon\b|identity-dialog|keys-dialog|organization-dialog|session-ended|(?:claims-form|read-claims)\.)[\w-]+\.tsx?$|src\/app\/ui\/(?:overlays\/focus-origin|chart\/chart-scale)\.ts$/;

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The start of every page's head. */
const HEAD = readFileSync(fileOf("head.html"), "utf8");

/**
 * Two pages that share chunks, and no bundle with the documentation: the pages in front of the application, and the
 * application with the console. A sign-in loads nothing of the second.
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
          html.replace("<!-- head.html -->", () => HEAD).replace("%NAME%", () => escapeXml(siteConfig.name)),
      },
    },
    {
      name: "millrace:preload-frame",
      transformIndexHtml: {
        order: "post",
        handler: (html, { filename, bundle }) =>
          bundle && filename.endsWith("/frame.html") ? preloadsOf(html, bundle, fileOf("frame.tsx")) : [],
      },
    },
    {
      name: "millrace:screens",
      generateBundle: {
        order: "post",
        handler(_, bundle) {
          const source = JSON.stringify(filesOfScreens(bundle));
          this.emitFile({ type: "asset", fileName: "screens.json", source });
        },
      },
    },
    {
      name: "millrace:compile-hints",
      generateBundle: { order: "post", handler: (_, bundle) => hintCompilers(bundle) },
    },
    { name: "millrace:whole", generateBundle: { order: "post", handler: (_, bundle) => checkNames(bundle) } },
  ],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    // Browsers that run this code support module preloads natively.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Libraries mark their modules for servers that render React; here everything is for browsers.
      onLog(level, log, handle) {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
      input: {
        app: fileOf("index.html"),
        frame: fileOf("frame.html"),
        // In development and for the tests: each component with content that strains it.
        ...(process.env["COMPONENT_PAGES"] === "1" && { components: fileOf("components.html") }),
      },
      output: {
        codeSplitting: {
          // Code shared by both starts is one file.
          groups: [
            { name: "asking", test: ASKING },
            { name: "early", test: EARLY, includeDependenciesRecursively: false },
            { name: "shared", test: SHARED },
            // With all its dependencies: over HTTP/1.1 a browser requests six files at a time.
            { name: "frame", test: FRAME },
            { name: "project-parts", test: PROJECT_PARTS, includeDependenciesRecursively: false },
            { name: "settings-parts", test: SETTINGS_PARTS, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});

/**
 * The page tells the browser which files the first code imports later. They come after the small, immediate requests: the
 * first code, its style and the session.
 */
function preloadsOf(html: string, bundle: Rolldown.OutputBundle, module: string): HtmlTagDescriptor[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const needed = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || needed.has(chunk)) return;
    needed.add(chunk);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
  };
  add(chunks.find(({ moduleIds }) => moduleIds.includes(module)));
  return (
    [...needed]
      .filter(({ fileName }) => !html.includes(fileName))
      // The largest file starts first.
      .toSorted((one, other) => other.code.length - one.code.length)
      .map(({ fileName }) => ({
        tag: "link",
        attrs: { rel: "modulepreload", crossorigin: true, fetchpriority: "low", href: `/app/${fileName}` },
        injectTo: "head",
      }))
  );
}

/** For the server, which names them in the page for the address: path of a screen, as in its table, → files that are not in every page. */
function filesOfScreens(bundle: Rolldown.OutputBundle): { [path: string]: string[] } {
  const page = String((bundle["frame.html"] as Rolldown.OutputAsset | undefined)?.source);
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const screens = readFileSync(fileOf("frame/screen-loads.ts"), "utf8");
  const found = [...screens.matchAll(/\bscreen\(\s*"([^"]+)",\s*\(\) => import\("([^"]+)"\)/g)];
  return Object.fromEntries(
    found.map(([, path = "", module = ""]) => {
      const needed = new Set<Rolldown.OutputChunk>();
      const add = (chunk: Rolldown.OutputChunk | undefined) => {
        if (!chunk || needed.has(chunk)) return;
        needed.add(chunk);
        for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
      };
      add(chunks.find(({ moduleIds }) => moduleIds.includes(fileOf(`frame/${module}`))));
      if (needed.size === 0) throw new Error(`The build has no file for the screen of ${path}, ${module}.`);
      const files = [...needed].flatMap(({ fileName, viteMetadata }) => [
        fileName,
        ...(viteMetadata?.importedCss ?? []),
      ]);
      return [path, files.filter((name) => !page.includes(name))];
    }),
  );
}

/**
 * A chunk with only a style is removed from the build after pages may have named it; such a page would stay empty.
 *
 * @throws Error that names the page or chunk and the missing file
 */
function checkNames(bundle: Rolldown.OutputBundle): void {
  for (const file of Object.values(bundle)) {
    const text =
      file.type === "chunk" ? file.code : file.fileName.endsWith(".html") ? String(file.source) : "";
    for (const [name] of text.matchAll(/\bassets\/[\w.-]+\.(?:js|css|svg|woff2)\b/g))
      if (!bundle[name]) throw new Error(`${file.fileName} refers to ${name}, which is not in the build.`);
  }
}

/** https://v8.dev/blog/explicit-compile-hints: the hint must come first in the file. */
function hintCompilers(bundle: Rolldown.OutputBundle): void {
  for (const chunk of Object.values(bundle))
    if (chunk.type === "chunk" && CALLED_AT_ONCE.has(chunk.name))
      chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
}
