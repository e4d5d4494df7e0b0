/** The addresses that posthog-js uses below `/ingest`, answered as PostHog answers them. */
import { type Context, Hono } from "hono";
import * as z from "zod";
import { sizeOfAll } from "../../contract/budgets.ts";
import type { TelemetryConfig } from "../../contract/config.ts";
import type { TelemetryLimits } from "../../contract/limits.ts";
import type { TelemetryStore } from "../../thread/telemetry-store.ts";
import { pathOf } from "../../parse/clean-text.ts";
import { type Intake, requireKept } from "../intake.ts";
import { inflateIfGzip, readBytes } from "../read-body.ts";
import { type BodyOptions, readJson } from "../read-json.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { FlagReader } from "./evaluate-flags.ts";
import { openCapture } from "./open-capture.ts";
import { idSchema, isRecord, parseCapture } from "../../parse/parse-capture.ts";
import { flagsAnswer, remoteConfig, remoteConfigScript, surveysAnswer } from "./posthog-json.ts";

export interface PosthogRouteOptions {
  config: TelemetryConfig;
  store: TelemetryStore;
  intake: Intake;
  limits: TelemetryLimits;
  clock: () => number;
}

const TOKEN_PATTERN = "[\\w-]{1,100}";

export function posthogRoutes(options: PosthogRouteOptions): Hono {
  const app = new Hono();
  addConfigRoutes(app, options);
  addEventRoutes(app, options);
  addRecordingRoute(app, options);
  addFlagRoutes(app, options);
  // Only SDKs send requests here; the site's "not found" page would be useless to them.
  app.all("/ingest/*", (context) => context.json({ detail: "There is nothing at this address." }, 404));
  return app;
}

function addConfigRoutes(app: Hono, { config }: PosthogRouteOptions): void {
  app.get(`/ingest/array/:token{${TOKEN_PATTERN}}/config`, (context) =>
    context.json(remoteConfig(config, context.req.param("token")), 200, { "Cache-Control": "no-cache" }),
  );
  app.get(`/ingest/array/:token{${TOKEN_PATTERN}}/config.js`, (context) =>
    context.body(remoteConfigScript(config, context.req.param("token")), 200, {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "no-cache",
    }),
  );
  app.on("GET", ["/ingest/api/surveys", "/ingest/api/surveys/"], (context) =>
    context.json(surveysAnswer(config), 200, { "Cache-Control": "no-cache" }),
  );
}

const capturePaths = ["/e", "/i/v0/e", "/batch", "/capture", "/track"].flatMap((path) => [
  `/ingest${path}`,
  `/ingest${path}/`,
]);

function addEventRoutes(app: Hono, options: PosthogRouteOptions): void {
  const { config, store, intake, limits, clock } = options;
  app.on("POST", capturePaths, (context) => {
    const endpoint = context.req.path.replace(/\/?$/, "/");
    return guarded(context, intake, endpoint, async () => {
      requireOn(config.analytics);
      intake.requireRoom(context, "events");
      const { rows, withoutConsent } = await readJson(context, bodyOptions(context, options), (json) =>
        parseCapture(json, clock(), limits),
      );
      intake.countEvents(context, rows.length);
      intake.requireRoom(context, "events");
      intake.countKept(context, "events", sizeOfAll(rows));
      if (rows.length > 0) requireKept(await store.write({ events: rows }));
      intake.accept(endpoint, rows.length);
      if (withoutConsent > 0) intake.refuse(endpoint, "no consent", withoutConsent);
      return context.json({ status: 1 });
    });
  });
}

function addRecordingRoute(app: Hono, { config, store, intake, limits, clock }: PosthogRouteOptions): void {
  app.on("POST", ["/ingest/s", "/ingest/s/"], (context) =>
    guarded(context, intake, "/ingest/s/", async () => {
      requireOn(config.recording);
      intake.requireRoom(context, "recordings");
      const bytes = await readBytes(context.req.raw, limits.snapshotBodyBytes);
      intake.countEvents(context, 1);
      const outcome = await intake.recordingLane.run(bytes.byteLength, async () => {
        // Checked again, because other bodies of this sender may have been stored in the meantime.
        intake.requireRoom(context, "recordings");
        const inflated = await inflateIfGzip(bytes, limits.snapshotInflatedBytes);
        intake.countBytes(context, inflated.byteLength);
        const kept = await store.writeSnapshots(inflated, clock());
        if ("bytes" in kept) intake.countKept(context, "recordings", kept.bytes);
        return kept;
      });
      if ("refused" in outcome) throw new Refusal(outcome.reason, outcome.refused);
      requireKept(outcome);
      intake.accept("/ingest/s/", outcome.accepted);
      return context.json({ status: 1 });
    }),
  );
}

function addFlagRoutes(app: Hono, options: PosthogRouteOptions): void {
  const { config, intake } = options;
  app.on("POST", ["/ingest/flags", "/ingest/flags/", "/ingest/decide", "/ingest/decide/"], (context) =>
    guarded(context, intake, "/ingest/flags/", async () => {
      const reader = await readJson(context, bodyOptions(context, options), (json) =>
        readerOf(json, context),
      );
      intake.accept("/ingest/flags/", 1);
      return context.json(flagsAnswer(config, reader));
    }),
  );
}

function bodyOptions(context: Context, { intake, limits }: PosthogRouteOptions): BodyOptions {
  const type = context.req.header("content-type") ?? "";
  return { intake, limits, open: (bytes, limit) => openCapture(bytes, type, limit) };
}

function requireOn(isOn: boolean): void {
  if (!isOn)
    throw new Refusal("switched off", "This site does not collect this data (telemetry in site.config.ts).");
}

async function guarded(
  context: Context,
  intake: Intake,
  endpoint: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    await intake.admit(context);
    return await answer();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    intake.refuse(endpoint, error.reason);
    if (error.retryAfter !== null) context.header("Retry-After", String(error.retryAfter));
    const body = { type: "validation_error", code: "invalid_payload", detail: error.message, attr: null };
    return context.json(body, error.status);
  }
}

const flagsSchema = z.object({
  distinct_id: idSchema.optional(),
  person_properties: z.custom<{ [name: string]: unknown }>(isRecord).catch({}).default({}),
});

function readerOf(json: unknown, context: Context): FlagReader {
  const parsed = flagsSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Refusal(
      "not valid",
      `${issue?.path.join(".") || "The body"}: ${issue?.message ?? "is not valid"}.`,
    );
  }
  const { distinct_id: distinctId, person_properties: person } = parsed.data;
  if (distinctId === undefined) throw new Refusal("not valid", "distinct_id is missing.");
  const language = person["$browser_language"] ?? context.req.header("accept-language");
  return {
    distinctId,
    path:
      pathOf(person["$pathname"]) ??
      pathOf(person["$current_url"]) ??
      pathOf(context.req.header("referer")) ??
      pathOf(person["$initial_pathname"]),
    language:
      typeof language === "string" ? (/^[a-z]{2,3}/i.exec(language)?.[0].toLowerCase() ?? null) : null,
  };
}
