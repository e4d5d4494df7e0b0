import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build as bundle } from "rolldown";
import type { Plugin } from "vite";

const virtualId = "virtual:boot-scripts";
const folder = new URL("../../src/site/boot/", import.meta.url);
const sourceOf = (name: string) => fileURLToPath(new URL(`${name}.ts`, folder));

/**
 * The scripts that run without React, for the server's render: `earlyScript` and `treeScript` are inlined, `bootUrl` is the
 * address of the file that `src/site/boot/boot.ts` becomes. In the browser's bundle all are empty.
 */
export function bootScripts(): Plugin {
  let boot = { code: "", url: "" };
  return {
    name: "millrace:boot-scripts",
    async buildStart() {
      boot = await bundleBoot();
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
      if (this.environment.name === "client")
        this.emitFile({ type: "asset", fileName: boot.url.slice(1), source: boot.code });
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        if (request.url !== boot.url) return next();
        response.setHeader("Content-Type", "text/javascript");
        response.end((await bundleBoot()).code);
      });
    },
  };
}

async function bundleBoot(): Promise<{ code: string; url: string }> {
  const code = await bundleScript(sourceOf("boot"));
  return { code, url: `/assets/boot-${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js` };
}

async function bundleScript(input: string): Promise<string> {
  const { output } = await bundle({
    input,
    write: false,
    platform: "browser",
    transform: { target: "es2022" },
    output: { format: "iife", minify: true },
  });
  return output[0].code.trim();
}
