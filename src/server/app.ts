import { Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { chargeAnswers } from "#platform/http/limits/charge-answers.ts";
import { abandonedAnswer } from "#platform/http/connections/client-abort.ts";
import { answerAsText } from "#platform/http/failure.ts";
import { addSecurityHeaders } from "#platform/http/security-headers.ts";
import type { Room } from "#platform/house/room.ts";
import { consoleLog, type Log } from "#platform/log/log.ts";
import type { Telemetry } from "#telemetry/index.ts";
import { createEdge, type ServerEdge } from "./edge.ts";
import { MAX_ADDRESS_LENGTH } from "./limits.ts";
import { maskPath } from "./operator/mask-path.ts";
import { createMountFinder } from "./mount-table.ts";
import { createParts } from "./mounts.ts";

/** The rooms, and what the server itself needs from them. */
export interface ServedHouse {
  /** The site's address for readers: `https://docs.example.com`. */
  origin: string;
  rooms: readonly Pick<Room, "mounts">[];
  /** Counts answered pages and receives errors; absent in measurements and tests. */
  telemetry?: Partial<Pick<Telemetry, "countViews" | "reportError">>;
}

/** The operator's view; without it failures go to the console and nothing else is recorded. */
export interface Observation {
  log?: Log;
  /** Wraps everything else. `partOf` names the part that owns an address, from a small set of names. */
  before?: (partOf: (path: string) => string) => readonly MiddlewareHandler[];
  /** `/healthz`, `/readyz`, `/metrics`. */
  operatorApp?: Hono;
}

/**
 * The whole service: the middleware that every request passes, in order, then the part that owns its address (`mounts.ts`).
 * @param edge identifies clients and limits their requests; without it (measurements, tests) there are no limits
 */
export function createApp(
  served: ServedHouse,
  edge: ServerEdge = createEdge({ rateLimitFactor: 0 }),
  { log = consoleLog, before = () => [], operatorApp = new Hono() }: Observation = {},
): Hono {
  const app = new Hono();
  const parts = createParts(served.rooms, edge, operatorApp);
  const partOf = createMountFinder(parts);

  for (const middleware of before((path) => partOf(path).part)) app.use(middleware);
  app.use(chargeAnswers);
  app.use(addSecurityHeaders(served.origin));

  // Runs before anything reads the address.
  app.use(async (context, next) => {
    const { url } = context.req;
    if (url.length - url.indexOf("/", "https://".length) <= MAX_ADDRESS_LENGTH) return next();
    const message = `This address is too long: at most ${MAX_ADDRESS_LENGTH} characters are allowed.`;
    return answerAsText(context, { reason: "address too long", message });
  });

  app.use(edge.noticeProxy);
  app.use(edge.noticeHost);
  app.use(edge.refuseHealth);

  // Page views count answered pages. A followed link is reported by the next request, whichever part answers it.
  const countViews = served.telemetry?.countViews;
  if (countViews) app.use(countViews);

  app.all("*", async (context) => {
    const part = partOf(context.req.path);
    const refusal = part.takesTurns ? undefined : await edge.takeTurn(context);
    return refusal ?? part.app.fetch(context.req.raw, context.env as object);
  });

  for (const { app: part } of parts)
    part.onError((error, context) => {
      const abandoned = abandonedAnswer(context);
      if (abandoned) return abandoned;
      // An error caused by the request, such as a body that is too large, is not a server error.
      if (error instanceof HTTPException) return error.getResponse();
      const pathname = maskPath(new URL(context.req.url).pathname);
      log.error(`${context.req.method} ${pathname} failed:`, { error });
      served.telemetry?.reportError?.(error, pathname);
      const message = "Something went wrong on our side. Try again in a moment.";
      return answerAsText(context, { reason: "internal", message });
    });
  return app;
}
