import type { Hono } from "hono";
import { createMcpApp } from "#docs/mcp/create-mcp-app.ts";
import { createLibrary, type Library, type LibraryContent } from "#docs/mcp/library.ts";
import type { Log } from "#platform/log/log.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { DocsSearch } from "./open-search.ts";

interface McpParts {
  origin: string;
  search: DocsSearch["ask"];
  /** What is served now. */
  content: () => LibraryContent;
  log: Log;
}

/** The documentation for agents, from the pages and by the search that readers have. */
export function openMcp({ origin, search, content, log }: McpParts): Hono {
  const libraries = new WeakMap<object, Library>();
  return createMcpApp({
    origin,
    version: packageJson.version,
    search,
    library() {
      const now = content();
      const library = libraries.get(now) ?? createLibrary(now);
      libraries.set(now, library);
      return library;
    },
    onError: (error) => log.error("An agent's request failed:", { error }),
  });
}
