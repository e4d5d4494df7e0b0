import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { siteConfig } from "#config";
import type { SiteConfig } from "../../src/site-config.ts";

const file = fileURLToPath(new URL("../../site.config.ts", import.meta.url));

/** `site.config.ts` for the browser: without keys that only the server needs, like its description and the surveys' texts. */
export function publicConfig(): Plugin {
  return {
    name: "millrace:public-config",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    load: (id) =>
      id === file ? `export const siteConfig = ${JSON.stringify(publicPart(siteConfig))};` : undefined,
  };
}

/** What JSON leaves out is not read in the browser. */
const UNREAD = undefined;

function publicPart(config: SiteConfig): object {
  const { search, telemetry } = config;
  return {
    ...config,
    description: UNREAD,
    editions: UNREAD,
    search: { ...search, stopWords: UNREAD },
    telemetry: {
      ...telemetry,
      maxBytes: UNREAD,
      flags: telemetry.flags.map((flag) => ({ ...flag, description: "", languages: [], variants: [] })),
      surveys: telemetry.surveys.map((survey) => ({
        ...survey,
        question: UNREAD,
        choices: UNREAD,
        languages: UNREAD,
      })),
    },
  };
}
