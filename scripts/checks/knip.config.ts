/**
 * What the check "dead code" reads. It runs knip twice:
 *
 *   all files            an export that no other file imports, a file that nothing starts, a package that nothing uses
 *   `--production`       the entries with `!` alone: an export, unused in its own file too, that only tests import
 *
 * An export that must stay although nothing is seen to import it says why after `@public`.
 */
import type { KnipConfig } from "knip";

const isWithoutTests = process.argv.includes("--production");

const config: KnipConfig = {
  entry: [
    "*.config.ts!",
    "scripts/*.{ts,mjs}!",
    // Commands of an image, which has no scripts/.
    "src/server/{main,backup,restore}.ts!",
    // Given to a child process by its address.
    "scripts/steps/end-with-parent.ts!",
    "bench/*.ts!",
    "bench/search/{measure,reopen}.ts!",
    "bench/search/engines/*.ts!",
    "bench/*/server.ts!",
    "src/app/{main.tsx,vite.config.ts}!",
    "src/site/{root,entry.client,entry.server}.tsx!",
    "src/site/routes/**/*.{ts,tsx}!",
    // Bundled by scripts/bundler/boot-plugin.ts, each on its own.
    "src/site/boot/{ask,boot,early,place-tree}.ts!",
    "tests/attack/main.ts!",
    "tests/attack/kills/*-server.ts!",
    "tests/e2e/*-server.ts",
  ],
  project: [
    "src/**/*.{ts,tsx,css}!",
    "scripts/**/*.{ts,mjs}!",
    "bench/**/*.ts!",
    "tests/**/*.ts",
    "*.config.ts!",
  ],
  ignoreExportsUsedInFile: isWithoutTests || { interface: true, type: true },
  // Tests prove the engine through its door, which has two functions for them alone.
  ignoreIssues: isWithoutTests ? { "src/search/index.ts": ["exports"] } : {},
  // Knip takes their configuration for a matter of development, which the second run leaves out.
  ...(isWithoutTests && { vite: false, vitest: false, playwright: false, "react-router": false }),
  // React Router writes them when it builds.
  ignoreUnresolved: [/\.\/\+types\/.+/],
  ignoreDependencies: [
    // Run as programs (scripts/checks/checks.ts).
    "oxlint",
    "prettier",
    // Fonts that a style sheet names by `url()`.
    "@fontsource-variable/instrument-sans",
    "@fontsource/commit-mono",
    // Files of theirs are found by a path that is put together.
    "@fontsource/instrument-sans",
    "dclint",
    "hcl2-parser",
    "simple-icons",
  ],
  // Named in an error message only, or the machine's own.
  ignoreBinaries: ["apt-get", "openssl", "systemd-analyze", "unshare"],
};

export default config;
