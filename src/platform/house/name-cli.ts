import type { MiddlewareHandler } from "hono";

/** By which a CLI knows whether it is the one of this server. */
const VERSION_HEADER = "Millrace-Cli";

/** Says with each answer which CLI belongs to this server. @param version `0.1.0-1a2b3c4d` */
export const nameCli =
  (version: string): MiddlewareHandler =>
  async (context, next) => {
    await next();
    context.res.headers.set(VERSION_HEADER, version);
  };
