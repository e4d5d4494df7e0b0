import { type Context, Hono } from "hono";
import * as z from "zod";
import { ApiError } from "../protocol/errors.ts";
import { closedObject, list, text } from "../protocol/fields.ts";
import { accessOf } from "../keys/guards.ts";
import { invalidKey } from "../keys/access.ts";
import { ACTIONS } from "../keys/actions.ts";
import { isIndexPattern } from "../keys/index-patterns.ts";
import { type ApiKey, keyNotFound, type KeyStore } from "../keys/key-store.ts";
import { MAX_KEY_INDEXES, MAX_KEY_TEXT_LENGTH, type SearchLimits } from "../protocol/limits.ts";
import { readJson } from "../payloads/request-body.ts";
import { snakeCase, validate, type ValidationContext } from "../protocol/validate.ts";
import { QueryParams } from "./query-params.ts";

const label = text.max(MAX_KEY_TEXT_LENGTH, `it has more than ${MAX_KEY_TEXT_LENGTH} characters`).nullish();
const names = { name: label, description: label };

const createSchema = closedObject({
  ...names,
  uid: z.uuid({ version: "v4", error: "expected a UUID of version 4" }).nullish(),
  actions: list(z.enum(ACTIONS, "a string"), ACTIONS.length),
  indexes: list(
    text.refine(
      isIndexPattern,
      "index uid patterns can be an integer or a string containing only alphanumeric characters, hyphens (-), underscores (_), and optionally end with a star (*).",
    ),
    MAX_KEY_INDEXES,
  ),
  expiresAt: text.nullable(),
});
const renameSchema = closedObject(names);

const IMMUTABLE = ["uid", "key", "actions", "indexes", "expiresAt", "createdAt", "updatedAt"];

const keyContext: ValidationContext = {
  codeOf: (path) => (path.length > 0 ? `invalid_api_key_${snakeCase(String(path[0]))}` : "bad_request"),
  missingCodeOf: (path) => `missing_api_key_${snakeCase(String(path[0]))}`,
};

/**
 * `/keys`: list, make, name and delete. A key with more rights than the sender's can be neither read nor
 * made.
 */
export function keyRoutes({ keys, limits }: { keys: KeyStore; limits: SearchLimits }): Hono {
  const app = new Hono();

  /** By uid or value; a key with more rights than the sender's counts as missing. */
  function required(context: Context): ApiKey {
    const named = context.req.param("key") ?? "";
    const key = keys.findByUid(named) ?? keys.findByValue(named);
    if (!key || !accessOf(context).holds(key.record)) throw keyNotFound(named);
    return key;
  }

  app.get("/keys", (context) => {
    const params = new QueryParams(context.req.url, "api_key", ["offset", "limit"]);
    const [offset, limit] = [params.count("offset", 0), params.count("limit", 20)];
    const all = keys.list().filter(({ record }) => accessOf(context).holds(record));
    const results = all.slice(offset, offset + limit).map(keyJson);
    return context.json({ results, offset, limit, total: all.length });
  });

  app.get("/keys/:key", (context) => context.json(keyJson(required(context))));

  app.post("/keys", async (context) => {
    const body = validate(createSchema, await readJson(context, limits.searchBodyBytes), keyContext);
    const key = {
      ...(body.uid && { uid: body.uid.toLowerCase() }),
      name: body.name ?? null,
      description: body.description ?? null,
      actions: [...new Set(body.actions)],
      indexes: [...new Set(body.indexes)],
      expiresAt: readExpiry(body.expiresAt, keys.clock()),
    };
    if (!accessOf(context).holds(key)) throw invalidKey();
    return context.json(keyJson(await keys.create(key)), 201);
  });

  app.patch("/keys/:key", async (context) => {
    const json = await readJson(context, limits.searchBodyBytes);
    refuseImmutable(json);
    const body = validate(renameSchema, json, keyContext);
    const { record } = required(context);
    return context.json(
      keyJson(
        await keys.rename(record.uid, {
          ...(body.name !== undefined && { name: body.name }),
          ...(body.description !== undefined && { description: body.description }),
        }),
      ),
    );
  });

  app.delete("/keys/:key", async (context) => {
    await keys.remove(required(context).record.uid);
    return context.body(null, 204);
  });
  return app;
}

function keyJson({ record, value }: ApiKey) {
  const { uid, name, description, actions, indexes, expiresAt, createdAt, updatedAt } = record;
  return { name, description, key: value, uid, actions, indexes, expiresAt, createdAt, updatedAt };
}

function refuseImmutable(json: unknown): void {
  if (json === null || typeof json !== "object") return;
  const field = IMMUTABLE.find((name) => Object.hasOwn(json, name));
  if (field === undefined) return;
  throw new ApiError(
    `immutable_api_key_${snakeCase(field)}`,
    `Immutable field \`${field}\`: expected one of \`description\`, \`name\``,
  );
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?$/;
const ZONED = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** RFC 3339, with or without time and zone (then UTC), and in the future. */
function readExpiry(given: string | null, now: number): string | null {
  if (given === null) return null;
  const isUtc = DATE.test(given) || TIME.test(given);
  const time = isUtc || ZONED.test(given) ? Date.parse(isUtc ? withZone(given) : given) : NaN;
  // Without a fraction of zero, as dates are given.
  if (time > now) return new Date(time).toISOString().replace(/\.000Z$/, "Z");
  throw new ApiError(
    "invalid_api_key_expires_at",
    `Invalid value at \`.expiresAt\`: \`${given.slice(0, 100)}\` is not a valid date. It should follow the RFC 3339 format to represents a date or datetime in the future or specified as a null value. e.g. 'YYYY-MM-DD' or 'YYYY-MM-DD HH:MM:SS'.`,
  );
}

function withZone(given: string): string {
  return DATE.test(given) ? `${given}T00:00:00Z` : `${given.replace(" ", "T")}Z`;
}
