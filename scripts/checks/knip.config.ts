/**
 * Configuration of the check "dead code", which runs knip twice:
 *
 *   all files            an export that no other file imports, a file that nothing starts, a package that nothing uses
 *   `--production`       only entries with `!`: an export that only tests import, and that its own file does not use
 *
 * An export that must stay although knip sees no import of it states the reason after `@public`.
 */
import type { KnipConfig } from "knip";

const isWithoutTests = process.argv.includes("--production");

const config: KnipConfig = {
  entry: [
    "*.config.ts!",
    "scripts/*.{ts,mjs}!",
    // Commands of an image, which has no scripts/.
    "src/server/{main,backup,restore}.ts!",
    // Passed to a child process by its address.
    "scripts/steps/end-with-parent.ts!",
    "bench/{,cache/}*.ts!",
    "cli/{build,pack}.ts!",
    "cli/src/{main,client}.ts!",
    "bench/search/{measure,reopen}.ts!",
    "bench/search/engines/*.ts!",
    "bench/*/server.ts!",
    "bench/cache/many-entries.ts!",
    "src/app/{app.tsx,begin.ts,components.tsx,vite.config.ts}!",
    "src/server/{backup,main,restore}.ts!",
    "src/site/{root,entry.client,entry.server}.tsx!",
    "src/site/routes/**/*.{ts,tsx}!",
    // Bundled by scripts/bundler/boot-plugin.ts, each on its own.
    "src/site/boot/{ask,boot,early,place-tree}.ts!",
    // Bundled by scripts/steps/offline-step.ts.
    "src/offline/worker.ts!",
    "tests/attack/main.ts!",
    "tests/fixtures/landings/make-landing.ts!",
    "tests/attack/kills/*-{server,writer}.ts!",
    "tests/e2e/*-server.ts",
    // Started as a process; bundled for a browser.
    "tests/attack/crowded/load.ts!",
    "tests/clients/api/{kill-server,browser-page}.ts",
    "tests/clients/builds/build-process.ts",
    "tests/deploy/builds-process.ts",
    // Started by a person, with a model at hand.
    "src/answers/testing/record.ts",
  ],
  project: [
    "src/**/*.{ts,tsx,css}!",
    "scripts/**/*.{ts,mjs}!",
    "bench/**/*.ts!",
    "cli/**/*.ts!",
    "tests/**/*.ts",
    "*.config.ts!",
  ],
  ignoreExportsUsedInFile: isWithoutTests || { interface: true, type: true },
  ignoreIssues: {
    // Generated from `.proto` files.
    "src/**/gen/**": ["exports", "types"],
    ...(isWithoutTests && {
      // Tests use a room through its entry point, which may export functions and types for them alone.
      "src/*/index.ts": ["exports", "types"],
      // Clients that tests and attacks use to talk to a server.
      "src/platform/http/raw-*.ts": ["exports"],
    }),
  },
  // With these plugins on, knip treats the configuration files as development only and skips them in the second run.
  ...(isWithoutTests && { vite: false, vitest: false, playwright: false, "react-router": false }),
  // React Router writes them when it builds.
  ignoreUnresolved: [/\.\/\+types\/.+/],
  ignoreDependencies: [
    // Run as programs (scripts/checks/checks.ts).
    "@bufbuild/buf",
    "@bufbuild/protoc-gen-es",
    "oxlint",
    "prettier",
    // Fonts that a style sheet names by `url()`.
    "@fontsource-variable/instrument-sans",
    "@fontsource/commit-mono",
    // Their files are found by a path built at run time.
    "@fontsource/instrument-sans",
    "dclint",
    "hcl2-parser",
    "simple-icons",
  ],
  // Installed on some machines; tests report when they are missing.
  ignoreBinaries: [
    "apt-get",
    "flock",
    "go",
    "hadolint",
    "ldd",
    "mkfs.ext4",
    "mount",
    "nginx",
    "nsenter",
    "openssl",
    "perl",
    "setpriv",
    "slirp4netns",
    "ssh-add",
    "ssh-agent",
    "ssh-keygen",
    "systemd-analyze",
    "umount",
    "unset",
    "unshare",
  ],
};

export default config;
