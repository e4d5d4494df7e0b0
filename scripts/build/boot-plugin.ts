import { build as bundle } from "rolldown";
import type { Plugin } from "vite";

const virtualId = "virtual:boot-script";
const source = new URL("../../src/site/boot/boot.ts", import.meta.url).pathname;

/** `virtual:boot-script`: `src/site/boot/boot.ts` bundled to one minified string, for the server's render only. */
export function bootScript(): Plugin {
  return {
    name: "millrace:boot-script",
    resolveId: (id) => (id === virtualId ? `\0${virtualId}` : undefined),
    async load(id) {
      if (id !== `\0${virtualId}`) return undefined;
      if (this.environment.name === "client") return 'export const bootScript = "";';
      this.addWatchFile(source);
      const code = await bundleBootScript();
      return `export const bootScript = ${JSON.stringify(code)};`;
    },
  };
}

export async function bundleBootScript(): Promise<string> {
  const { output } = await bundle({
    input: source,
    write: false,
    platform: "browser",
    transform: { target: "es2020" },
    output: { format: "iife", minify: true },
  });
  return output[0].code.trim();
}
