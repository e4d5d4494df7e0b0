/** The application's files: the pages in front of it, the application itself, and the assets of both. */
import { type Context, Hono } from "hono";
import { serveStaticFile, type StaticFiles } from "#platform/http/static-files.ts";
import { markShared } from "#platform/http/connections/unsent-answers.ts";
import type { AnswerFrame } from "./frame-page.ts";

/** Asset names start with `/app/assets/`; a page's address may also contain a point. */
const ASSETS = "/app/assets/";

/** First parts of addresses below `/app` that work without a sign-in. */
const GATE_PLACES: ReadonlySet<string> = new Set([
  "start",
  "sign-in",
  "second-step",
  "mail",
  "join",
  "device",
]);
/** Shows each component of the application in isolation; not built in production. */
const COMPONENT_PAGES = "/app/dev/components";

/**
 * @param files absent until the application is built
 * @param answerFrame the application's page with its first answers, where there is such a page
 */
export function createAppPage(files: StaticFiles | undefined, answerFrame?: AnswerFrame): Hono {
  const app = new Hono();
  // Terminals print this short address.
  app.on(["GET", "HEAD"], "/device", (context) => {
    const { search } = new URL(context.req.url);
    return context.body(null, 302, { Location: `/app/device${search}`, "Cache-Control": "no-store" });
  });
  app.on(["GET", "HEAD"], ["/app", "/app/*"], async (context) => {
    const { pathname } = new URL(context.req.url);
    const file = fileOf(pathname, files);
    return file === "/frame" ? sendFrame(context, files, answerFrame) : sendAppFile(context, files, file);
  });
  refuseOtherMethods(app);
  return app;
}

function fileOf(pathname: string, files: StaticFiles | undefined): string {
  if (pathname.startsWith(ASSETS)) return pathname.slice("/app".length);
  if (GATE_PLACES.has(pathname.split("/")[2] ?? "")) return "/";
  const isComponent = pathname === COMPONENT_PAGES || pathname.startsWith(`${COMPONENT_PAGES}/`);
  return isComponent && files?.has("/components") ? "/components" : "/frame";
}

/** @param name in the build's folder: `/` is the page in front, `/frame` the application's */
function sendAppFile(context: Context, files: StaticFiles | undefined, name: string): Response {
  const response = files && serveStaticFile(files, name, context.req.raw);
  if (!response) return context.text("The application has no such file.\n", 404);
  markShared(context);
  if (!name.startsWith("/assets/")) return keepPrivate(response);
  response.headers.set("X-Robots-Tag", "noindex");
  return response;
}

/** The application's page, also at the console's addresses. */
export async function sendFrame(
  context: Context,
  files: StaticFiles | undefined,
  answerFrame?: AnswerFrame,
): Promise<Response> {
  const response = await answerFrame?.(context);
  return response ? keepPrivate(response) : sendAppFile(context, files, "/frame");
}

function keepPrivate(response: Response): Response {
  response.headers.set("X-Robots-Tag", "noindex");
  response.headers.set("Cache-Control", "no-store");
  // Addresses contain the keys of links.
  response.headers.set("Referrer-Policy", "no-referrer");
  return response;
}

export function refuseOtherMethods(app: Hono): void {
  app.all("*", (context) =>
    context.text("This address accepts only GET and HEAD.\n", 405, { Allow: "GET, HEAD" }),
  );
}
