import type { MiddlewareHandler } from "hono";

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Headers of every answer of a server whose readers see this origin (`https://docs.example.com`). */
export function securityHeaders(origin: string): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    // Browsers ignore it over http.
    ...(origin.startsWith("https://") && { "Strict-Transport-Security": `max-age=${ONE_YEAR_SECONDS}` }),
  };
}

export function addSecurityHeaders(origin: string): MiddlewareHandler {
  const headers = Object.entries(securityHeaders(origin));
  return async (context, next) => {
    await next();
    // A part may set stricter headers, such as for pages with a key in their address.
    for (const [name, value] of headers)
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  };
}
