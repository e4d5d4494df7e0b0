import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build as bundle } from "rolldown";
import type { Plugin } from "vite";
import { siteConfig } from "#config";

const virtualId = "virtual:boot-scripts";
const folder = new URL("../../src/site/boot/", import.meta.url);
const { analytics, recording } = siteConfig.telemetry;
/** Consents that readers are asked for. Empty if there are none. */
const choices = [analytics && "analytics", recording && "recording"].filter(Boolean).join(" ");
const sourceOf = (name: string) => fileURLToPath(new URL(`${name}.ts`, folder));

/**
 * The scripts that run without React, for server rendering: `earlyScript` and `treeScript` are inlined, `bootUrl` is the
 * address of the file that `src/site/boot/boot.ts` becomes. All are empty in the browser's bundle.
 */
export function bootScripts(): Plugin {
  let boot = { code: "", url: "" };
  let ask = { code: "", url: "" };
  return {
    name: "millrace:boot-scripts",
    async buildStart() {
      ask = await bundleFile("ask", { __CHOICES__: JSON.stringify(choices) });
      boot = await bundleBoot(ask.url);
    },
    resolveId: (id) => (id === virtualId ? `\0${virtualId}` : undefined),
    async load(id) {
      if (id !== `\0${virtualId}`) return undefined;
      const isClient = this.environment.name === "client";
      const values = isClient
        ? { earlyScript: "", treeScript: "", bootUrl: "" }
        : {
            earlyScript: await bundleScript(sourceOf("early")),
            treeScript: await bundleScript(sourceOf("place-tree")),
            bootUrl: boot.url,
          };
      return Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join("\n");
    },
    generateBundle() {
      if (this.environment.name !== "client") return;
      for (const { url, code } of [boot, ask])
        this.emitFile({ type: "asset", fileName: url.slice(1), source: code });
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        if (request.url !== boot.url && request.url !== ask.url) return next();
        response.setHeader("Content-Type", "text/javascript");
        response.end(request.url === ask.url ? ask.code : (await bundleBoot(ask.url)).code);
      });
    },
  };
}

const bundleBoot = (askUrl: string) =>
  bundleFile("boot", { __ASK_URL__: JSON.stringify(choices ? askUrl : "") });

async function bundleFile(name: string, define: { [name: string]: string }) {
  const code = await bundleScript(sourceOf(name), define);
  return { code, url: `/assets/${name}-${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js` };
}

async function bundleScript(input: string, define: { [name: string]: string } = {}): Promise<string> {
  const { output } = await bundle({
    input,
    write: false,
    platform: "browser",
    // Site addresses are not files: they stay as they are, wherever the project is.
    plugins: [
      {
        name: "millrace:addresses",
        resolveId: (id) => (id.startsWith("/assets/") ? { id, external: "absolute" } : null),
      },
    ],
    transform: { target: "es2022", define },
    output: { format: "iife", minify: true },
  });
  // The bundler does not strip its own annotations.
  return output[0].code.replaceAll("/* @__PURE__ */ ", "").trim();
}
