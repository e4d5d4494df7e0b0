/** How parts of the server answer requests that none of their routes handles. */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { Edge } from "./edge.ts";
import { answerCallFailure } from "../http/call-failure.ts";
import { answerAsJson } from "../http/failure.ts";

/**
 * For callers of the API and of sign-in: unknown addresses are answered in the form of the API.
 * @param first runs before anything else
 */
export function callApp(
  routes: Hono,
  { refuseWithoutRoom }: Pick<Edge, "refuseWithoutRoom">,
  ...first: readonly MiddlewareHandler[]
): Hono {
  const app = new Hono();
  for (const middleware of first) app.use(middleware);
  app.use(refuseWithoutRoom);
  app.route("/", routes);
  app.notFound((context) =>
    answerCallFailure(context, {
      reason: "not found",
      message: `There is nothing at ${context.req.path.slice(0, 200)}.`,
    }),
  );
  return app;
}

/** For programs, with failures that are not in the API's form. @param methods that exist at some address */
export function jsonApp(
  routes: Hono,
  methods: readonly string[],
  ...first: readonly MiddlewareHandler[]
): Hono {
  const app = new Hono();
  for (const middleware of first) app.use(middleware);
  app.route("/", routes);
  app.notFound((context: Context) => {
    if (methods.includes(context.req.method))
      return answerAsJson(context, { reason: "not found", message: "There is nothing at this address." });
    const allow = methods.join(", ");
    return answerAsJson(context, {
      reason: "method not allowed",
      message: `This address does not answer ${context.req.method}: it answers ${allow}.`,
      allow,
    });
  });
  return app;
}
