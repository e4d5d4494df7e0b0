import { Hono } from "hono";
import * as z from "zod";
import { readJson } from "../payloads/request-body.ts";
import { ApiError } from "../protocol/errors.ts";
import { closedObject, record, text } from "../protocol/fields.ts";
import { MAX_WEBHOOK_HEADERS, type SearchLimits } from "../protocol/limits.ts";
import { validate, type ValidationContext } from "../protocol/validate.ts";
import { hideSecret } from "../settings/embedders.ts";
import type { Webhook } from "../webhooks/webhook.ts";
import type { WebhookChanges, Webhooks } from "../webhooks/webhooks.ts";

const headers = record(text.nullable(), MAX_WEBHOOK_HEADERS).nullish();
const createSchema = closedObject({ url: text, headers });
const changeSchema = closedObject({ url: text.nullish(), headers });

const webhookContext: ValidationContext = {
  codeOf: (path) => (path.length > 0 ? `invalid_webhook_${String(path[0])}` : "bad_request"),
  missingCodeOf: (path) => `missing_webhook_${String(path[0])}`,
};

const IMMUTABLE = ["uuid", "isEditable"];

/** `/webhooks`: the receivers of finished tasks. */
export function webhookRoutes({ webhooks, limits }: { webhooks: Webhooks; limits: SearchLimits }): Hono {
  const app = new Hono();
  app.get("/webhooks", (context) => context.json({ results: webhooks.list().map(webhookJson) }));
  app.get("/webhooks/:uuid", (context) => {
    return context.json(webhookJson(webhooks.get(checkUuid(context.req.param("uuid")))));
  });
  app.post("/webhooks", async (context) => {
    const body = validate(createSchema, await readJson(context, limits.searchBodyBytes), webhookContext);
    return context.json(webhookJson(await webhooks.create({ url: body.url, ...changesOf(body) })), 201);
  });
  app.patch("/webhooks/:uuid", async (context) => {
    const uuid = checkUuid(context.req.param("uuid"));
    const json = await readJson(context, limits.searchBodyBytes);
    refuseImmutable(json);
    return context.json(
      webhookJson(await webhooks.change(uuid, changesOf(validate(changeSchema, json, webhookContext)))),
    );
  });
  app.delete("/webhooks/:uuid", async (context) => {
    await webhooks.remove(checkUuid(context.req.param("uuid")));
    return context.body(null, 204);
  });
  return app;
}

function changesOf(body: z.infer<typeof changeSchema>): WebhookChanges {
  return { ...(body.url != null && { url: body.url }), ...(body.headers && { headers: body.headers }) };
}

/** Headers are for the other server: who reads this only sees which there are. */
function webhookJson({ uuid, url, headers: sent }: Webhook) {
  const shown = Object.entries(sent).map(([name, value]) => [name, hideSecret(value)]);
  return { uuid, url, headers: Object.fromEntries(shown) as Webhook["headers"], isEditable: true };
}

function checkUuid(given: string): string {
  if (z.uuid().safeParse(given).success) return given.toLowerCase();
  throw new ApiError(
    "invalid_webhook_uuid",
    `Invalid value in parameter \`uuid\`: \`${given.slice(0, 100)}\` is not a UUID.`,
  );
}

function refuseImmutable(json: unknown): void {
  if (json === null || typeof json !== "object") return;
  const field = IMMUTABLE.find((name) => Object.hasOwn(json, name));
  if (field === undefined) return;
  throw new ApiError(
    `immutable_webhook_${field === "uuid" ? "uuid" : "is_editable"}`,
    `Immutable field \`${field}\`: expected one of \`url\`, \`headers\``,
  );
}
