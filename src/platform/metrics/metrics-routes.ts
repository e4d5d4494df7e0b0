import { hash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import type { Metrics } from "./metrics.ts";

export interface MetricsRouteOptions {
  metrics: Pick<Metrics, "expose">;
  /** `METRICS_TOKEN`; without it the address does not exist. */
  token?: string;
}

/** `GET /metrics`, for clients that send `Authorization: Bearer <METRICS_TOKEN>`. */
export function metricsRoutes({ metrics, token }: MetricsRouteOptions): Hono {
  const app = new Hono();
  if (token === undefined) return app;
  const expected = digest(token);
  app.all("/metrics", async (context) => {
    const given = /^bearer +(\S+)$/i.exec(context.req.header("authorization") ?? "")?.[1] ?? "";
    if (!timingSafeEqual(digest(given), expected))
      return context.body(null, 401, { "WWW-Authenticate": 'Bearer realm="metrics"' });
    if (!["GET", "HEAD"].includes(context.req.method)) return context.body(null, 405, { Allow: "GET, HEAD" });
    const { text, contentType } = await metrics.expose();
    return context.body(text, 200, { "Content-Type": contentType, "Cache-Control": "no-store" });
  });
  return app;
}

/** Digests have one length: comparing takes the same time wherever two texts differ. */
function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
