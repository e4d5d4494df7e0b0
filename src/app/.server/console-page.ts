/** The console: one page for every address below `/console`. Its assets are the application's. */
import { Hono } from "hono";
import type { StaticFiles } from "#platform/http/static-files.ts";
import { refuseOtherMethods, sendAppFile } from "./app-page.ts";

/** @param files absent until the application is built */
export function createConsolePage(files: StaticFiles | undefined): Hono {
  const app = new Hono();
  app.on(["GET", "HEAD"], ["/console", "/console/*"], (context) => sendAppFile(context, files, "/console"));
  refuseOtherMethods(app);
  return app;
}
