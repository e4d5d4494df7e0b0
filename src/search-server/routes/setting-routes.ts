import { type Context, Hono } from "hono";
import { ApiError } from "../protocol/errors.ts";
import { checkIndexUid } from "../protocol/index-uid.ts";
import type { IndexChangeRequest } from "../changes/intake.ts";
import { accessOf } from "../keys/guards.ts";
import { requireJson } from "../payloads/request-body.ts";
import { toSettingsJson } from "../settings/json.ts";
import { type SettingName, settingFromSlug, settingsSchema } from "../settings/schema.ts";
import type { AdminRouteOptions } from "./index-routes.ts";
import { payloadBody } from "./payload-body.ts";
import { taskAnswer } from "./task-answer.ts";

/** `/indexes/:uid/settings` and one route per setting, in kebab case. */
export function settingRoutes({ store, content, limits }: AdminRouteOptions): Hono {
  const app = new Hono();

  function settingsOf(uid: string) {
    checkIndexUid(uid);
    const { index, protocol } = store.require(uid);
    return toSettingsJson(index.settings, protocol);
  }

  async function change(
    context: Context,
    uid: string,
    setting: SettingName | null,
    body: IndexChangeRequest["body"] & {},
  ) {
    checkIndexUid(uid);
    const mayCreate = accessOf(context).may("indexes.create", uid);
    const change = { kind: "settings", setting, mayCreate } as const;
    return taskAnswer(context, await content.change({ indexUid: uid, type: "settingsUpdate", change, body }));
  }

  function bodyOf(context: Context) {
    requireJson(context);
    return payloadBody(context, limits.adminBodyBytes);
  }

  app.get("/indexes/:uid/settings", (context) => context.json(settingsOf(context.req.param("uid"))));
  app.patch("/indexes/:uid/settings", (context) =>
    change(context, context.req.param("uid"), null, bodyOf(context)),
  );
  app.delete("/indexes/:uid/settings", (context) => {
    const value = Object.fromEntries(Object.keys(settingsSchema.shape).map((name) => [name, null]));
    return change(context, context.req.param("uid"), null, { value });
  });

  app.get("/indexes/:uid/settings/:setting", (context) => {
    const name = required(context.req.param("setting"));
    // Not among all settings while there are none, as the feature may be off.
    const absent = name === "foreignKeys" ? [] : null;
    return context.json(settingsOf(context.req.param("uid"))[name] ?? absent);
  });
  app.on(["PUT", "PATCH"], "/indexes/:uid/settings/:setting", (context) => {
    const name = required(context.req.param("setting"));
    return change(context, context.req.param("uid"), name, bodyOf(context));
  });
  app.delete("/indexes/:uid/settings/:setting", (context) => {
    const name = required(context.req.param("setting"));
    return change(context, context.req.param("uid"), name, { value: null });
  });

  return app;
}

function required(slug: string): SettingName {
  const name = settingFromSlug(slug);
  if (name) return name;
  throw new ApiError(
    "not_found",
    `\`${slug}\` is not a setting. GET /indexes/{uid}/settings lists them all.`,
  );
}
