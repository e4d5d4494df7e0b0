import { defineConfig } from "vitest/config";
import { WASM_FLAGS } from "./scripts/server-flags.mjs";

/** Tests here start threads, servers or processes, or change the process: each file has its own process. */
const stateful = [
  "src/*.test.ts",
  "src/{app,builds,cache,platform,registry,search-server,server,telemetry}/**/*.test.ts",
  "src/api/request-limits.test.ts",
  "scripts/**/*.test.ts",
  "cli/**/*.test.ts",
  "tests/conformance/**/*.test.ts",
];

/** Run a second time if there is PostgreSQL. */
const onBothDatabases = [
  "src/{accounts,api,builds,cache,platform/blobs,platform/database,registry,server/database}/**/*.test.ts",
];

const temporaryFolder = "tests/temporary-folder.ts";

// A separate file, so that unit tests do not run the site's build plugins.
export default defineConfig({
  test: {
    environment: "node",
    // By default it leaves one core for watching files, which is half of a small machine.
    maxWorkers: "100%",
    execArgv: WASM_FLAGS,
    // A busy machine is not a failure; a test that waits forever is.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    globalSetup: temporaryFolder,
    projects: [
      // Real proxies, an image, a busy server, PostgreSQL: `npm run test:clients`.
      {
        extends: true,
        test: {
          name: "clients",
          include: ["tests/{attack,clients,deploy}/**/*.test.ts", ...onBothDatabases],
          globalSetup: [temporaryFolder, "tests/deploy/postgres-setup.ts"],
        },
      },
      // Whole machines, one at a time: each needs the processor and the disk for itself.
      {
        extends: true,
        test: {
          name: "installations",
          include: ["tests/installations/**/*.test.ts"],
          fileParallelism: false,
        },
      },
      { extends: true, test: { name: "stateful", include: stateful } },
      {
        extends: true,
        test: {
          name: "pure",
          include: ["src/**/*.test.ts", "tests/relevance/**/*.test.ts"],
          exclude: stateful,
          // Files share a process and its loaded modules: two thirds of the CPU time.
          isolate: false,
        },
      },
    ],
  },
});
