import type { MiddlewareHandler } from "hono";

/** Tells a CLI whether it is this server's CLI. */
const VERSION_HEADER = "Millrace-Cli";

/** Names this server's CLI in each answer. @param version `0.1.0-1a2b3c4d` */
export const nameCli =
  (version: string): MiddlewareHandler =>
  async (context, next) => {
    await next();
    context.res.headers.set(VERSION_HEADER, version);
  };
