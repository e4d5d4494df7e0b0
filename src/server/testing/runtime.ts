import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConsoleRoutes } from "#app/.server/console-routes.ts";
import { emptyNavigation } from "#docs/content/navigation/navigation.ts";
import { consoleLog } from "#platform/log/log.ts";
import { createSearchRoutes } from "#search-server/index.ts";
import { storeOf, wireDocuments } from "#search-server/testing/documents.ts";
import { openTelemetry } from "#telemetry/index.ts";
import { openMcp } from "#docs/mcp/open-mcp.ts";
import type { TestParts } from "./house.ts";

const ORIGIN = "http://localhost:3000";

/** For tests: the real search and telemetry, and a site of one page. */
export async function openTestRuntime(
  parts: Partial<TestParts> = {},
): Promise<{ runtime: TestParts; origin: string; close: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), "runtime-"));
  const config = {
    retentionDays: 1,
    maxBytes: 10_000_000,
    analytics: true,
    recording: true,
    flags: [],
    surveys: [],
  };
  const telemetry = openTelemetry({ dataDir, origin: ORIGIN, config, log: () => {} });
  const store = storeOf("docs", wireDocuments());
  const page = {
    type: "text/html; charset=utf-8",
    etag: '"1"',
    cacheControl: "public, no-cache",
    identity: Buffer.from("<p>Home</p>"),
  };
  const content = { pages: [], navigation: emptyNavigation, redirects: [] };
  const runtime: TestParts = {
    origin: ORIGIN,
    files: new Map([["/", page]]),
    pathFor: (path) => path,
    searchRoutes: createSearchRoutes({ store, publicIndexes: ["docs"], onSearch: telemetry.countSearches }),
    telemetry,
    mcpApp: openMcp({
      origin: ORIGIN,
      version: "0.0.0",
      ask: () => Promise.resolve({ results: [] }),
      content: () => content,
      log: consoleLog,
    }),
    consoleApp: createConsoleRoutes({
      telemetry,
      config,
      checkOperator: () =>
        Promise.resolve({ isAllowed: false, status: 401, code: "unauthenticated", message: "no token" }),
      origin: ORIGIN,
      root: dataDir,
      isWritable: false,
    }),
    render: () =>
      Promise.resolve(
        new Response("<p>Not found</p>", { status: 404, headers: { "Content-Type": "text/html" } }),
      ),
    ...parts,
  };
  const close = async () => {
    await telemetry.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { runtime, origin: ORIGIN, close };
}
