import { defineConfig } from "vitest/config";

// Its own file, so that unit tests do not run the site's build plugins.
export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "scripts/**/*.test.ts",
      "tests/attack/**/*.test.ts",
      "tests/deploy/**/*.test.ts",
      "tests/relevance/**/*.test.ts",
    ],
    environment: "node",
    // By itself it leaves one core for watching files, which is half of a small machine.
    maxWorkers: "100%",
    // A machine that is busy with something else is no failure; what waits for ever is.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
