/** `/console/api/…`: the reports of report-types.ts as JSON or CSV, for operators only. */
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import * as z from "zod";
import type { TelemetryConfig } from "../../telemetry/config.ts";
import type { Intake } from "../../telemetry/ingest/intake.ts";
import type { TelemetryStore } from "../../telemetry/store/telemetry-store.ts";
import { EditError } from "./actions/edit-files.ts";
import { actionSchema, type RunSearchAction } from "./actions/search-actions.ts";
import { toCsv } from "./csv.ts";
import { checkChange, checkOperator } from "./guard.ts";
import type { Range } from "../../telemetry/queries/range.ts";
import { searchKinds } from "../../telemetry/queries/searches.ts";
import type { FlagReport, IngestHealth, SurveyReport } from "../../telemetry/queries/report-types.ts";
import { readChange } from "./read-change.ts";
import type { Sessions } from "./session.ts";

const dayMilliseconds = 86_400_000;
const defaultDays = 7;
const maxDays = 400;
const MAX_ACTION_BYTES = 10_000;

export interface ConsoleOptions {
  config: TelemetryConfig;
  store: TelemetryStore;
  intake: Intake;
  sessions: Sessions;
  origin: string;
  clock: () => number;
  runAction: RunSearchAction;
}

const time = z.coerce.number().int().min(0).max(8.64e15);
const rangeSchema = z.object({ from: time.optional(), to: time.optional() });

class BadRequest extends Error {}

export function consoleRoutes(options: ConsoleOptions): Hono {
  const { config, store, intake, sessions, origin, clock } = options;
  const startedAt = clock();
  const app = new Hono();

  app.use("/console/api/*", compress());
  app.use("/console/api/*", async (context, next) => {
    const verdict = checkOperator(context, sessions, origin);
    if (!verdict.isAllowed) return context.json({ message: verdict.message }, verdict.status);
    if (context.req.method !== "GET" && context.req.method !== "HEAD") {
      const change = checkChange(context, origin);
      if (!change.isAllowed) return context.json({ message: change.message }, change.status);
    }
    await next();
    context.res.headers.set("Cache-Control", "no-store");
    return undefined;
  });

  const range = (context: Context): Range => readRange(context, clock());
  const list = (path: string, columns: string[], read: (context: Context) => Promise<object[]>) =>
    app.get(`/console/api/${path}`, (context) =>
      answer(context, async () => {
        const rows = await read(context);
        if (context.req.query("format") !== "csv") return context.json(rows);
        return context.body(toCsv(rows, columns), 200, {
          "Content-Type": "text/csv; charset=utf-8",
          "Content-Disposition": `attachment; filename="${path}.csv"`,
        });
      }),
    );

  app.get("/console/api/overview", (context) =>
    answer(context, async () => {
      const report = await store.ask("overview", range(context));
      if (context.req.query("format") !== "csv") return context.json(report);
      return context.body(toCsv(report.days, ["at", "views", "searches"]), 200, {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": 'attachment; filename="overview.csv"',
      });
    }),
  );
  list("searches", searchColumns, (context) => {
    const kind = z.enum(searchKinds).safeParse(context.req.query("kind") ?? "top");
    if (!kind.success) throw new BadRequest(`kind must be one of ${searchKinds.join(", ")}.`);
    return store.ask("searches", { ...range(context), kind: kind.data });
  });
  app.post("/console/api/searches/actions", (context) =>
    answer(context, async () => {
      const read = await readChange(context, MAX_ACTION_BYTES);
      if (read instanceof Response) return read;
      const action = actionSchema.safeParse(read.json);
      if (action.success) return context.json(await options.runAction(action.data));
      const issue = action.error.issues[0];
      throw new BadRequest(`${issue?.path.join(".") || "The action"} ${issue?.message ?? "is not valid"}.`);
    }),
  );
  list("pages", ["path", "views", "yes", "no", "exitsToSearch", "comments"], (context) =>
    store.ask("pages", range(context)),
  );
  list("errors", errorColumns, (context) => store.ask("errors", range(context)));
  app.get("/console/api/errors/:fingerprint", (context) =>
    answer(context, async () => {
      const fingerprint = context.req.param("fingerprint");
      const report = await store.ask("error", { ...range(context), fingerprint });
      return report ? context.json(report) : context.json({ message: "No such error is kept." }, 404);
    }),
  );
  list("recordings", recordingColumns, (context) => store.ask("recordings", range(context)));
  app.get("/console/api/recordings/:sessionId", (context) =>
    answer(context, async () => {
      const report = await store.ask("recording", { sessionId: context.req.param("sessionId") });
      return report ? context.json(report) : context.json({ message: "No such recording is kept." }, 404);
    }),
  );
  list(
    "surveys",
    ["id", "question", "isActive", "shown", "dismissed", "counts", "answers"],
    async (context) => {
      const ids = config.surveys.map((survey) => survey.id);
      const answers = await store.ask("surveyAnswers", { ...range(context), ids });
      return config.surveys.map(({ id, question, isActive }, index): SurveyReport => ({
        id,
        question,
        isActive,
        shown: 0,
        dismissed: 0,
        answers: [],
        counts: [],
        ...answers[index],
      }));
    },
  );
  list("flags", ["key", "description", "isActive", "percentage", "values"], async (context) => {
    const values = await store.ask("flagValues", range(context));
    return config.flags.map(({ key, description, isActive, percentage }): FlagReport => ({
      key,
      description,
      isActive,
      percentage,
      values: values.filter((row) => row.key === key).map(({ value, count }) => ({ value, count })),
    }));
  });
  app.get("/console/api/health", async (context) => {
    const database = {
      bytes: 0,
      maxBytes: config.maxBytes,
      retentionDays: config.retentionDays,
      oldestAt: null,
    };
    const stored = await store.ask("health", {}).catch(() => ({ database, forwarding: [] }));
    const health: IngestHealth = { startedAt, ...intake.health(), ...store.status(), ...stored };
    return context.json(health);
  });
  // Without it the console's page would answer, as it does every other address.
  app.all("/console/api/*", (context) => context.json({ message: "There is no such report." }, 404));
  return app;
}

const searchColumns = ["query", "count", "withoutHits", "measured", "clicks", "meanPosition", "lastDay"];
const errorColumns = [
  "fingerprint",
  "type",
  "value",
  "culprit",
  "platform",
  "count",
  "firstAt",
  "lastAt",
  "releases",
];
const recordingColumns = ["sessionId", "startedAt", "endedAt", "paths", "bytes", "searches", "errors"];

/** @throws BadRequest */
function readRange(context: Context, now: number): Range {
  const parsed = rangeSchema.safeParse({ from: context.req.query("from"), to: context.req.query("to") });
  if (!parsed.success) throw new BadRequest("from and to must be milliseconds since 1970.");
  const to = parsed.data.to ?? now;
  const from = parsed.data.from ?? to - defaultDays * dayMilliseconds;
  if (from >= to) throw new BadRequest("from must be before to.");
  if (to - from > maxDays * dayMilliseconds) throw new BadRequest(`A range is at most ${maxDays} days.`);
  return { from, to };
}

async function answer(context: Context, run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BadRequest || error instanceof EditError)
      return context.json({ message: error.message }, 400);
    const reason = error instanceof Error ? error.message : String(error);
    return context.json({ message: `The report cannot be read: ${reason}` }, 503);
  }
}
