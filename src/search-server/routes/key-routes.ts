import { createHash } from "node:crypto";
import { Hono } from "hono";
import { ApiError } from "../errors.ts";

/**
 * `/keys`: the two keys that this server has, so that clients which look for them find them. Searching needs no key
 * (any is accepted, the empty one too); changing needs SEARCH_ADMIN_KEY. Keys cannot be made here.
 */
export function keyRoutes({ adminKey }: { adminKey: string }): Hono {
  const app = new Hono();
  const keys = [
    describeKey("Default Search API Key", "Any key may search; this one is the empty key.", ["search"], ""),
    describeKey("Default Admin API Key", "SEARCH_ADMIN_KEY of this server.", ["*"], adminKey),
  ];

  app.get("/keys", (context) => context.json({ results: keys, offset: 0, limit: 20, total: keys.length }));
  app.get("/keys/:key", (context) => {
    const wanted = context.req.param("key");
    const found = keys.find(({ key, uid }) => uid === wanted || (key !== "" && key === wanted));
    if (!found) throw new ApiError("api_key_not_found", `API key \`${wanted}\` not found.`);
    return context.json(found);
  });
  app.on(["POST", "PATCH", "DELETE"], ["/keys", "/keys/:key"], () => {
    throw new ApiError(
      "feature_not_enabled",
      "Keys cannot be made or changed over HTTP. Set SEARCH_ADMIN_KEY and start the server again.",
    );
  });
  return app;
}

function describeKey(name: string, description: string, actions: string[], key: string) {
  const created = new Date(0).toISOString();
  return {
    name,
    description,
    key,
    uid: uuidOf(name),
    actions,
    indexes: ["*"],
    expiresAt: null,
    createdAt: created,
    updatedAt: created,
  };
}

/** A UUID that stays the same for the same name. */
function uuidOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
