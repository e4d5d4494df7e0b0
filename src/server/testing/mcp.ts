/** For tests: the documentation for agents on a real port, with pages of its own, the real search and telemetry. */
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pageOf } from "#docs/content/checks/page-fixture.ts";
import { emptyNavigation } from "#docs/content/navigation/navigation.ts";
import type { Page } from "#docs/content/types.ts";
import { buildDocsIndex, docsRecords } from "#docs/docs-index.ts";
import type { LibraryContent } from "#docs/mcp/library.ts";
import type { Log } from "#platform/log/log.ts";
import { createApp } from "../app.ts";
import { createEdge, type EdgeOptions } from "../edge.ts";
import { parseEnvironment } from "../environment.ts";
import { listen } from "../port/listen.ts";
import { openMcp } from "#docs/mcp/open-mcp.ts";
import { searchRoom, type SiteIndex } from "#search-server/index.ts";
import type { SiteSource } from "#site/site-source.ts";
import { siteIndexOf } from "../pages/built-pages.ts";
import { openTestRuntime } from "./runtime.ts";
import { houseOf } from "./house.ts";

const paragraph = (text: string) => ({ kind: "paragraph" as const, text });
const heading = (id: string, text: string) => ({ kind: "heading" as const, depth: 2, id, text });

export const CACHE = pageOf({
  path: "/docs/cache",
  title: "How the cache works",
  markdown:
    "# How the cache works\n\nOne cache for all.\n\n## Eviction\n\nThe oldest is removed. See {{origin}}/docs.\n",
  blocks: [
    paragraph("One cache for all."),
    heading("eviction", "Eviction"),
    paragraph("The oldest is removed."),
  ],
  anchors: ["eviction"],
});
const REGISTRY = pageOf({
  path: "/docs/registry",
  title: "The registry",
  markdown: "# The registry\n\nThe eviction of images from its cache.\n",
  blocks: [paragraph("The eviction of images from its cache.")],
});

export interface TestMcp {
  /** Where it listens; `origin` differs, as behind a proxy. */
  url: string;
  origin: string;
  /** Serves these pages from the next request on. */
  show: (pages: readonly Page[]) => void;
  /** The search of a page with `?q=`. */
  ask: SiteSource["search"];
  /** Searches that were counted. */
  counted: { query: string; hits: number }[];
  /** Messages to the operator. */
  logged: string[];
  close: () => Promise<void>;
}

interface McpTestOptions extends EdgeOptions {
  /** Replaces the search of the pages. */
  search?: (body: unknown) => Promise<unknown>;
}

export async function openTestMcp({ search: other, ...limits }: McpTestOptions = {}): Promise<TestMcp> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-"));
  const counted: TestMcp["counted"] = [];
  const logged: string[] = [];
  const error = (message: string) => void logged.push(message);
  const log: Log = { debug() {}, info() {}, warn() {}, error, writes: () => false, flush() {} };
  const env = parseEnvironment({ DATA_DIR: folder, SITE_ORIGIN: "http://localhost:3000" });
  const siteIndex: SiteIndex = {
    ...siteIndexOf(env.SITE_ORIGIN),
    isElsewhere: false,
    read: null,
    readRecords: () => Promise.reject(new Error("There is no other server.")),
  };
  const { room, gives: search } = await searchRoom.open(
    {
      pages: () => Promise.resolve({ siteIndex }),
      countSearches: (searches) => void counted.push(...searches),
      log,
    },
    env,
  );
  let content: LibraryContent;
  const show = (pages: readonly Page[]) => {
    content = { pages: [...pages], navigation: emptyNavigation, redirects: [] };
    search.replaceIndex(buildDocsIndex(docsRecords(content.pages, emptyNavigation), []));
  };
  show([CACHE, REGISTRY]);
  const mcpApp = openMcp({
    origin: env.SITE_ORIGIN,
    version: "0.0.0",
    ask: other ?? search.ask,
    content: () => content,
    log,
  });
  const { runtime, origin, close } = await openTestRuntime({ mcpApp });
  const app = createApp(houseOf(runtime), createEdge({ rateLimitFactor: 0, ...limits }), { log });
  const server = await listen(app, "127.0.0.1", 0);
  // A port of TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    origin,
    show,
    // In the form that pages use.
    ask: search.ask as SiteSource["search"],
    counted,
    logged,
    async close() {
      server.close();
      server.closeAllConnections();
      await Promise.all([room.close(), close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
