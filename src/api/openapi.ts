import type { Handler } from "hono";
import document from "./gen/openapi.json" with { type: "json" };

/** The document's addresses are relative, so that they are right wherever it is read from. */
export function serveOpenApi(): Handler {
  const text = JSON.stringify(document);
  return (context) =>
    context.body(text, 200, { "content-type": "application/json", "cache-control": "public, max-age=300" });
}
