import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { WASM_FLAGS } from "./scripts/server-flags.mjs";
import { longer } from "#platform/testing/longer.ts";
import { LongestFirst } from "./tests/longest-first.ts";
import { needsOwnProcess, UNIT_TESTS } from "./scripts/checks/unit-tests.ts";

const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");

/** Folders whose tests start threads, servers or processes, or change the process. */
const STATEFUL = [
  "src/*.test.ts",
  "src/{app,builds,cache,platform,registry,search-server,server,telemetry}/**/*.test.ts",
  "src/{app,builds,cache,platform,registry,search-server,server,telemetry}/**/.server/**/*.test.ts",
  "src/api/request-limits.test.ts",
  "scripts/**/*.test.ts",
  "cli/**/*.test.ts",
  "tests/conformance/**/*.test.ts",
];

/** Each of these has its own process: its text shows that it may change the process for others. */
const isAlone = (file: string) => !file.startsWith("src/") || needsOwnProcess(textOf(file));
const stateful = globSync(STATEFUL, { cwd: import.meta.dirname });

/** Tests of records: `npm test` runs them on SQLite, and `npm run test:clients` on PostgreSQL. */
const onPostgres = globSync(UNIT_TESTS, { cwd: import.meta.dirname }).filter((file) =>
  textOf(file).includes("testDatabaseKinds"),
);

const temporaryFolder = "tests/temporary-folder.ts";

// A separate file, so that unit tests do not run the site's build plugins.
export default defineConfig({
  test: {
    environment: "node",
    // Two on two cores kept them busy for 74 %: some files wait for servers and clocks.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    execArgv: WASM_FLAGS,
    // A busy machine is not a failure; a test that waits forever is.
    testTimeout: longer(30_000),
    hookTimeout: 30_000,
    globalSetup: temporaryFolder,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Real proxies, an image, a busy server, PostgreSQL: `npm run test:clients`.
      {
        extends: true,
        test: {
          name: "clients",
          include: ["tests/{attack,clients,deploy}/**/*.test.ts", ...onPostgres.filter(isAlone)],
          globalSetup: [temporaryFolder, "tests/deploy/postgres-setup.ts"],
          // They wait for other processes and for the disk.
          maxWorkers: 2 * availableParallelism(),
          hookTimeout: 120_000,
        },
      },
      // With the clients: tests of records again, in shared processes.
      {
        extends: true,
        test: {
          name: "postgres",
          include: onPostgres.filter((file) => !isAlone(file)),
          globalSetup: [temporaryFolder, "tests/deploy/postgres-setup.ts"],
          isolate: false,
          maxWorkers: 2 * availableParallelism(),
        },
      },
      // Whole machines. Each waits for packages and its disk half of the time, so two keep two cores busy.
      {
        extends: true,
        test: {
          name: "installations",
          include: ["tests/installations/**/*.test.ts"],
          maxWorkers: 2,
        },
      },
      { extends: true, test: { name: "stateful", include: stateful.filter(isAlone) } },
      {
        extends: true,
        test: {
          name: "shared",
          include: stateful.filter((file) => !isAlone(file)),
          // Files share a process and its loaded modules: 0.7 s of CPU time less for each.
          isolate: false,
        },
      },
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
