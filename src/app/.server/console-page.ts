/** The console: pages of the application with addresses of their own. */
import { Hono } from "hono";
import type { StaticFiles } from "#platform/http/static-files.ts";
import { refuseOtherMethods, sendFrame } from "./app-page.ts";
import type { AnswerFrame } from "./frame-page.ts";

/** @param files absent until the application is built */
export function createConsolePage(files: StaticFiles | undefined, answerFrame?: AnswerFrame): Hono {
  const app = new Hono();
  app.on(["GET", "HEAD"], ["/console", "/console/*"], (context) => sendFrame(context, files, answerFrame));
  refuseOtherMethods(app);
  return app;
}
