import { Hono } from "hono";
import type { ContentService } from "../changes/content-service.ts";
import { SWITCHED_FEATURES, type SwitchedFeature } from "../changes/features.ts";
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

interface FeatureOptions {
  content: ContentService;
  limits: SearchLimits;
}

const STATES = {
  // `CONTAINS` and `STARTS WITH` work in every filter here, and a key that may read tasks can read waiting documents.
  containsFilter: true,
  getTaskDocumentsRoute: true,
  ...Object.fromEntries(FEATURES.map((name) => [name, false])),
};

const isSwitched = (name: string): name is SwitchedFeature =>
  (SWITCHED_FEATURES as readonly string[]).includes(name);

/** `/experimental-features`, and an answer for the features that this server does not have. */
export function featureRoutes({ content: { features }, limits }: FeatureOptions): Hono {
  const app = new Hono();
  const states = () => ({
    ...STATES,
    ...Object.fromEntries(SWITCHED_FEATURES.map((name) => [name, features.isOn(name)])),
  });
  app.get("/experimental-features", (context) => context.json(states()));
  app.patch("/experimental-features", async (context) => {
    const body = await readJson(context, limits.searchBodyBytes);
    const wanted = validate(record(flag.nullable()), body, {
      codeOf: () => "bad_request",
    });
    const switched: [SwitchedFeature, boolean][] = [];
    for (const [name, isOn] of Object.entries(wanted)) {
      if (isOn !== null && isSwitched(name)) switched.push([name, isOn]);
      if (isOn === null || isSwitched(name) || STATES[name as keyof typeof STATES] === isOn) continue;
      throw new ApiError(
        "feature_not_enabled",
        `\`${name}\` cannot be switched ${isOn ? "on" : "off"} here.`,
      );
    }
    if (switched.length > 0) features.switch(switched);
    return context.json(states());
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
