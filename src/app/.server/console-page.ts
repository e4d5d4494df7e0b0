/** The console's files: one page for every address below `/console`, and its assets. */
import { Hono } from "hono";
import { serveStaticFile, type StaticFiles } from "#platform/http/static-files.ts";
import { markShared } from "#platform/http/unsent-answers.ts";

/** @param files absent until the console is built */
export function createConsolePage(files: StaticFiles | undefined): Hono {
  const app = new Hono();
  app.on(["GET", "HEAD"], ["/console", "/console/*"], (context) => {
    const path = new URL(context.req.url).pathname.slice("/console".length) || "/";
    const isAsset = /\.\w+$/.test(path);
    const response = files && serveStaticFile(files, isAsset ? path : "/", context.req.raw);
    if (!response) return context.text("There is no such file of the console.\n", 404);
    markShared(context);
    response.headers.set("X-Robots-Tag", "noindex");
    if (!isAsset) response.headers.set("Cache-Control", "no-store");
    return response;
  });
  app.all("*", (context) =>
    context.text("This address answers GET and HEAD only.\n", 405, { Allow: "GET, HEAD" }),
  );
  return app;
}
