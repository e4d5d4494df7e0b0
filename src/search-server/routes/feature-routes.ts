import { Hono } from "hono";
import { ROUTE_RIGHTS } from "../keys/route-rights.ts";
import { ApiError } from "../protocol/errors.ts";
import { flag, record } from "../protocol/fields.ts";
import type { SearchLimits } from "../protocol/limits.ts";
import { readJson } from "../payloads/request-body.ts";
import { validate } from "../protocol/validate.ts";

/** Features that Meilisearch can switch on and this server does not have. */
const FEATURES = [
  "chatCompletions",
  "compositeEmbedders",
  "editDocumentsByFunction",
  "logsRoute",
  "metrics",
  "multimodal",
  "network",
];

const STATES = {
  // `CONTAINS` and `STARTS WITH` work in every filter here, and a key that may read tasks can read waiting documents.
  containsFilter: true,
  getTaskDocumentsRoute: true,
  ...Object.fromEntries(FEATURES.map((name) => [name, false])),
};

/** `/experimental-features`, and an answer for the features that this server does not have. */
export function featureRoutes({ limits }: { limits: SearchLimits }): Hono {
  const app = new Hono();
  app.get("/experimental-features", (context) => context.json(STATES));
  app.patch("/experimental-features", async (context) => {
    const body = await readJson(context, limits.searchBodyBytes);
    const wanted = validate(record(flag.nullable()), body, {
      codeOf: () => "bad_request",
    });
    for (const [name, isOn] of Object.entries(wanted)) {
      if (isOn === null || STATES[name as keyof typeof STATES] === isOn) continue;
      throw new ApiError(
        "feature_not_enabled",
        `\`${name}\` cannot be switched ${isOn ? "on" : "off"} here.`,
      );
    }
    return context.json(STATES);
  });
  for (const { path, leftOut } of ROUTE_RIGHTS) {
    if (leftOut === undefined) continue;
    app.all(path, ({ req }) => {
      throw new ApiError(
        "feature_not_enabled",
        `${leftOut}: not supported by this server (${req.method} ${req.path}).`,
      );
    });
  }
  return app;
}
