import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, devices } from "@playwright/test";
import { findBrowsers } from "./scripts/checks/browser.ts";
import { SERVER_FLAGS } from "./scripts/server-flags.mjs";
import { ownerToken } from "./tests/e2e/console-session.ts";
import { temporaryParent } from "./tests/memory-folder.ts";

/** Another port lets two checkouts be tested side by side. */
const port = process.env["E2E_PORT"] ?? "4173";
const origin = `http://localhost:${port}`;

/**
 * Without the parts of a browser that draw a window, the same tests take two thirds of the time. Where text is laid out to the
 * pixel (`@window`), the whole browser is used, as by readers.
 */
const launchOptions = (executablePath: string) => ({
  executablePath,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
const { whole, shell } = findBrowsers();
// The processes that run tests read this file again, and one test starts a browser on its own: they use the browsers found here.
Object.assign(process.env, { CHROMIUM: whole, CHROMIUM_SHELL: shell });
// The build of the tests has a page for each component.
process.env["COMPONENT_PAGES"] = "1";
// About thirty servers are started: with cached compiled code each takes two thirds of the CPU time.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, ".cache/compiled");
// A folder for browser profiles and servers' data. It is passed to the processes that run tests.
if (process.env["TEST_WORKER_INDEX"] === undefined) {
  const folder = mkdtempSync(join(temporaryParent(), "millrace-browser-tests-"));
  process.env["TMPDIR"] = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/**
 * Failures, attacks, single components, the owner's console, requests for a page's other forms, and tests that start and stop
 * their own servers: with the phone's width in the second run (decision 031).
 */
const late =
  /(start-and-stop|one-port|app-server|app-mail|meilisearch|algolia|community-chat|-troubles|hostile|console|components-|redirects|development|search-(?:filters|highlight|preview)|recent-searches|changed-since|code-wrap|glossary|image-zoom|my-setup|offline-pack)[^/]*\.spec\.ts$/;
const desktop = { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } };
// One device pixel per CSS pixel: seven times as many are seven times the work, and no test here looks at them.
const phone = { ...devices["Pixel 7"], deviceScaleFactor: 1, viewport: { width: 390, height: 844 } };

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  fullyParallel: true,
  // Three keep two cores busy; with four and five, each starts its own servers, and the whole run took longer.
  workers: 3,
  timeout: 30_000,
  expect: { timeout: 5_000 },
  // Failed tests are retried once, after everything else and on their own (decision 045).
  retries: 0,
  forbidOnly: true,
  use: {
    baseURL: origin,
    launchOptions: launchOptions(shell),
  },
  projects: [
    { name: "desktop", use: desktop, testIgnore: [/phone/, late], grepInvert: /@window/ },
    { name: "desktop, late", use: desktop, testMatch: late, grepInvert: /@window/ },
    // `@one-width`: the test's result is the same at every width.
    { name: "phone", use: phone, testMatch: /phone|every-width/, grepInvert: /@window|@one-width/ },
    {
      name: "desktop, whole browser",
      use: { ...desktop, launchOptions: launchOptions(whole) },
      testIgnore: /phone/,
      grep: /@window/,
    },
    {
      name: "phone, whole browser",
      use: { ...phone, launchOptions: launchOptions(whole) },
      testMatch: /phone|every-width/,
      grep: /@window/,
    },
  ],
  webServer: {
    command: `"${process.execPath}" --disable-warning=ExperimentalWarning ${SERVER_FLAGS.join(" ")} scripts/start.ts`,
    env: {
      PORT: port,
      HOST: "localhost",
      SITE_ORIGIN: origin,
      BUILD_DIR: ".cache/test-build",
      DATA_DIR: join(tmpdir(), "data"),
      MILLRACE_OWNER_TOKEN: ownerToken,
      ACCESS_LOG: "off",
    },
    url: `${origin}/health`,
    timeout: 180_000,
    reuseExistingServer: false,
    stdout: "pipe",
  },
});
