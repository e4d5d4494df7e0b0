import { stripVTControlCharacters } from "node:util";
import type { ViteDevServer } from "vite";
import { escapeXml } from "#platform/text/escape-xml.ts";

/**
 * The development server's answer for code that cannot run: the reason, and the client that reloads the page
 * once it can.
 */
export function failurePage(error: unknown, vite: ViteDevServer): Response {
  if (error instanceof Error) vite.ssrFixStacktrace(error);
  console.error(error);
  const reason = stripVTControlCharacters(
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  );
  const html = `<!doctype html><meta charset="utf-8"><title>The page cannot be rendered</title>
<script type="module" src="/@vite/client"></script>
<h1>The page cannot be rendered</h1><p>Fix what is named here and save. The page reloads by itself.</p>
<pre>${escapeXml(reason)}</pre>`;
  return new Response(html, { status: 500, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
