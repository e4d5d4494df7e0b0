import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { ApiError } from "./errors.ts";

/** Lets through who knows the key; without a key on the server the routes behind it are off. */
export function requireAdminKey(adminKey: string | undefined): MiddlewareHandler {
  const expected = adminKey ? digest(adminKey) : null;
  return async (context, next) => {
    if (!expected) {
      throw new ApiError(
        "not_found",
        `${context.req.path} is off: this server was started without SEARCH_ADMIN_KEY. Set it to change indexes over HTTP.`,
      );
    }
    const header = context.req.header("authorization");
    if (header === undefined) {
      throw new ApiError(
        "missing_authorization_header",
        "The Authorization header is missing. It must use the bearer authorization method.",
      );
    }
    const given = /^Bearer\s+(.*)$/i.exec(header)?.[1] ?? "";
    // Digests have one length, so the comparison says nothing about the key, not even how long it is.
    if (!timingSafeEqual(digest(given), expected)) {
      throw new ApiError("invalid_api_key", "The provided API key is invalid.");
    }
    await next();
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
