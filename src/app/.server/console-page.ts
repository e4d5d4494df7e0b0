/** The console: pages of the application with addresses of their own. */
import { Hono } from "hono";
import type { StaticFiles } from "#platform/http/static-files.ts";
import { refuseOtherMethods, sendAppFile } from "./app-page.ts";

/** @param files absent until the application is built */
export function createConsolePage(files: StaticFiles | undefined): Hono {
  const app = new Hono();
  app.on(["GET", "HEAD"], ["/console", "/console/*"], (context) => sendAppFile(context, files, "/frame"));
  refuseOtherMethods(app);
  return app;
}
