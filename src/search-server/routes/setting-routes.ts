import { type Context, Hono } from "hono";
import { ApiError } from "../errors.ts";
import { checkIndexUid } from "../index-uid.ts";
import { accessOf } from "../keys/guards.ts";
import { readJson } from "../request-body.ts";
import { toSettingsJson } from "../settings-json.ts";
import { type SettingName, settingFromSlug, settingsContext, settingsSchema } from "../settings-schema.ts";
import { validate } from "../validate.ts";
import type { AdminRouteOptions } from "./index-routes.ts";
import { taskAnswer } from "./task-answer.ts";

/** `/indexes/:uid/settings` and one route per setting, in kebab case. */
export function settingRoutes({ store, content, limits }: AdminRouteOptions): Hono {
  const app = new Hono();

  function settingsOf(uid: string) {
    checkIndexUid(uid);
    const { index, protocol } = store.require(uid);
    return toSettingsJson(index.settings, protocol);
  }

  function enqueue(context: Context, uid: string, body: unknown) {
    checkIndexUid(uid);
    // Settings make the index that they are for.
    if (!accessOf(context).may("indexes.create", uid)) store.require(uid);
    const settings = validate(settingsSchema, body, settingsContext);
    return content.enqueue({
      indexUid: uid,
      type: "settingsUpdate",
      details: settings,
      work: { kind: "settings", body: settings },
    });
  }

  app.get("/indexes/:uid/settings", (context) => context.json(settingsOf(context.req.param("uid"))));
  app.patch("/indexes/:uid/settings", async (context) => {
    const body = await readJson(context, limits.adminBodyBytes);
    return taskAnswer(context, enqueue(context, context.req.param("uid"), body));
  });
  app.delete("/indexes/:uid/settings", (context) => {
    const body = Object.fromEntries(Object.keys(settingsSchema.shape).map((name) => [name, null]));
    return taskAnswer(context, enqueue(context, context.req.param("uid"), body));
  });

  app.get("/indexes/:uid/settings/:setting", (context) => {
    const name = required(context.req.param("setting"));
    return context.json(settingsOf(context.req.param("uid"))[name] ?? null);
  });
  app.on(["PUT", "PATCH"], "/indexes/:uid/settings/:setting", async (context) => {
    const name = required(context.req.param("setting"));
    const value = await readJson(context, limits.adminBodyBytes);
    return taskAnswer(context, enqueue(context, context.req.param("uid"), { [name]: value }));
  });
  app.delete("/indexes/:uid/settings/:setting", (context) => {
    const name = required(context.req.param("setting"));
    return taskAnswer(context, enqueue(context, context.req.param("uid"), { [name]: null }));
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
